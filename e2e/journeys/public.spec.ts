import { expect, type Page } from '@playwright/test';
import { checkScreen, inAll, NO_AXE } from '../member.ts';
import { type BrowserSettings, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { type Language, textOf } from '../texts.ts';

/** Every address that needs no login, with the heading it shows. */
const PAGES: Record<string, string> = {
  '/login': 'auth.login',
  '/register': 'register.phoneTitle',
  '/forgot': 'forgot.title',
  '/howto': 'nav.howto',
  '/contact': 'contact.title',
  '/terminated': 'error.terminatedTitle',
  '/nope': 'error.pageNotFound',
};
/** Looked at by axe where their own journeys do it. */
const AUDITED_ELSEWHERE = ['/login', '/register', '/howto'];

const BROWSERS: Record<Language, BrowserSettings> = {
  th: { device: 'small' },
  la: { device: 'small', theme: 'dark' },
  en: { device: 'desktop' },
};

/** Runs in the page: what the keyboard can reach. */
const countStops = (): number =>
  [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, [tabindex="0"]')].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'),
  ).length;

/** Runs in the page: what is wrong with the stop that has the focus now. */
function faultOfStop(): string | null {
  const stop = document.activeElement as HTMLElement;
  const name = stop.ariaLabel || stop.innerText || (stop as HTMLInputElement).labels?.[0]?.innerText;
  if (!name?.trim()) return `${stop.outerHTML.slice(0, 100)} has no name`;
  const { left, top, width, height } = stop.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen =
    shown !== null && (stop.contains(shown) || shown.contains(stop) || stop.parentElement!.contains(shown));
  if (!isSeen) return `${name} has the focus and is covered`;
  const isMarked = [stop, stop.parentElement!, stop.parentElement!.parentElement!].some((element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return outlineStyle !== 'none' || boxShadow !== 'none';
  });
  return isMarked ? null : `${name} has the focus and does not show it`;
}

/** From the top of the page to its end by Tab: everything is reached once, is seen, and says what it is. */
async function walkByKeyboard(page: Page): Promise<void> {
  const stops = await page.evaluate(countStops);
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(faultOfStop)).toBeNull();
  }
}

/** Texts of the server change with the language too, on the open page. */
async function rereadContact(page: Page): Promise<void> {
  const intro = page.locator('h1 + p');
  let before = await intro.innerText();
  await inAll(page, async () => {
    await expect(intro).not.toHaveText(before);
    before = await intro.innerText();
  });
}

for (const [language, settings] of Object.entries(BROWSERS) as [Language, BrowserSettings][]) {
  const tag = settings.device === 'desktop' ? NO_AXE : [];
  test(`every public page fits, reads well and is walked by keyboard in ${language}`, { tag }, async ({
    browser,
  }) => {
    const page = await visit(browser, { ...settings, language });
    for (const [path, heading] of Object.entries(PAGES)) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: textOf(language, heading) }).first()).toBeVisible();
      await walkByKeyboard(page);
      if (!AUDITED_ELSEWHERE.includes(path)) await checkScreen(page, `public ${path.slice(1)}`);
      if (path === '/contact') await rereadContact(page);
    }
    await page.context().close();
  });
}
