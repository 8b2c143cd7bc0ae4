import { languageTag } from '@krapao/contract/shared';
import { expect, type Page, test } from '@playwright/test';
import { seriousOn } from './axe.ts';
import { codeFor, type Place, sharedEnv } from './env-calls.ts';
import { DESKTOP_SIZE, PASSWORD } from './new-member.ts';
import { faultsOn, NO_FAULTS } from './survey.ts';
import { ALL_IDS, LANGUAGES, type Language, textOf } from './texts.ts';

/** An open sheet as a member must see it. */
export async function checkSheet(page: Page, name: string): Promise<void> {
  await expect(page.locator('dialog[open]').last()).toBeVisible();
  await checkScreen(page, name);
}

/** Presses a key again and again: a paid deposit stays on screen, however late a busy test comes to look at it. */
export const keepPressing = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const PRESS_MS = 100;
    setInterval(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' })), PRESS_MS);
  });

/** A duration seen in a page: by the clock, and by timers of the page, which stop with it on a busy machine. */
interface Lasted {
  /** At least as long as what was seen. */
  ms: number;
  /** At most as long as what was seen. */
  timersMs: number;
}

/**
 * How long a text that is still to come is seen, or its page stays after it, by the page itself: a busy test sees it
 * late. Compare `ms` with the least and `timersMs` with the most that is allowed.
 */
export const lastsFor = (page: Page, text: string, what: 'text' | 'page' = 'text'): Promise<Lasted> =>
  page.evaluate(
    async ({ words, what }) => {
      const CHECK_MS = 50;
      const check = () => new Promise((resolve) => setTimeout(resolve, CHECK_MS));
      // Marks that hold words together, and spaces that do not break, are not what is looked for.
      const plain = (some: string) => some.replaceAll(/[\u200B\u2060]/g, '').replaceAll(/\s/g, ' ');
      const isSeen = () => plain(document.body.innerText).includes(plain(words));
      while (!isSeen()) await check();
      const from = performance.now();
      const here = location.pathname;
      let timersMs = 0;
      // Looked at again and again: what leaves with motion changes nothing in the document at its end.
      for (; what === 'text' ? isSeen() : location.pathname === here; timersMs += CHECK_MS) await check();
      return { ms: performance.now() - from, timersMs };
    },
    { words: text, what },
  );

/** Runs in the page: changes the language on the open page, also under an open sheet, where no press is possible. */
async function speak(tag: string): Promise<void> {
  document.querySelector<HTMLElement>(`[popover] button[lang=${tag}]`)!.click();
  while (document.documentElement.lang !== tag)
    await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Does something in every language, with or without a sheet open; last in the one the page was opened in. */
export async function inAll(page: Page, work: (language: Language, isOwn: boolean) => Promise<void>) {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const own = await page.locator('html').getAttribute('data-language');
  for (const language of LANGUAGES.toSorted((one, other) => Number(one === own) - Number(other === own))) {
    await page.evaluate(speak, languageTag(language));
    await work(language, language === own);
  }
}

/** A screen as it must look in every language; axe audits it in the one it was opened in. */
export const checkScreenInAll = (page: Page, name: string): Promise<void> =>
  inAll(page, (language, isOwn) => (isOwn ? checkScreen(page, name) : check(page, `${name} ${language}`)));

/** The same of an open sheet. */
export async function checkSheetInAll(page: Page, name: string): Promise<void> {
  await expect(page.locator('dialog[open]').last()).toBeVisible();
  await checkScreenInAll(page, name);
}

/** Tags a test whose looks another one shows to axe in another language: its audits cost more than all the rest. */
export const NO_AXE = '@no-axe';

/** A screen as a member must see it: no raw key, nothing wider than the screen, nothing serious for axe. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  await check(page, name);
  if (test.info().tags.includes(NO_AXE)) return;
  expect(await seriousOn(page), `axe on ${name}`).toEqual([]);
}

/** No raw key; nothing wider than the screen, cut, broken inside a word or covered. */
async function check(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(stillness);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/${test.info().title.slice(-24)} ${name}.png` });
  const words = new Set((await page.evaluate(() => document.body.innerText)).split(/\s+/));
  expect(
    ALL_IDS.filter((id) => words.has(id)),
    `raw keys on ${name}`,
  ).toEqual([]);
  expect(await faultsOn(page), name).toEqual(NO_FAULTS);
  await checkOtherSizes(page, name);
}

/** A page in one of these windows is checked in others of its kind too: resizing costs least. */
const SIZES: Record<number, [width: number, height: number][]> = {
  320: [
    [360, 740],
    [390, 844],
    [412, 915],
  ],
  [DESKTOP_SIZE.width]: [
    [768, 1024],
    [1024, 768],
  ],
};

async function checkOtherSizes(page: Page, name: string): Promise<void> {
  const own = page.viewportSize()!;
  const others = SIZES[own.width] ?? [];
  for (const [width, height] of others) {
    await page.setViewportSize({ width, height });
    await page.evaluate(stillness);
    expect(await faultsOn(page), `${name} at ${width} × ${height}`).toEqual(NO_FAULTS);
  }
  if (others.length === 0) return;
  await page.setViewportSize(own);
  await page.evaluate(stillness);
}

/** Runs in the page: waits until two frames in a row nothing that ends by itself is moving or fading. */
async function stillness(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let still = 0; still < 2; ) {
    await frame();
    const ending = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      .filter((one) => one.playState === 'running')
      // A countdown's ring is always moving.
      .filter(({ effect }) => !(effect as KeyframeEffect).target?.closest('[role=timer]'));
    still = ending.length === 0 ? still + 1 : 0;
    await Promise.allSettled(ending.map((one) => one.finished));
  }
}

/** Walks the four steps of registration and ends on the login page. */
export async function register(
  page: Page,
  language: Language,
  person: { phone: string; accountNo: string },
  env: Place = sharedEnv(),
  address = `${env.url}/register`,
): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  await page.goto(address);
  await page.getByLabel(t('auth.phone')).fill(person.phone);
  await checkScreen(page, 'register phone');
  await page.getByRole('button', { name: t('btn.next') }).click();
  await expect(page.getByRole('heading', { name: t('otp.enter') })).toBeVisible();
  await checkScreen(page, 'register otp');
  await page
    .getByRole('textbox')
    .first()
    .pressSequentially(await codeFor(person.phone, env));
  await page.getByLabel(t('auth.name'), { exact: true }).fill('ทดสอบ ใจดี');
  await page.getByLabel(t('auth.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(t('auth.confirmPassword'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(t('register.source')).selectOption('friend');
  await page.getByLabel(t('register.age', { age: '20' })).check();
  await checkScreen(page, 'register profile');
  await page.getByRole('button', { name: t('btn.next') }).click();
  await page.getByLabel(t('bank.bank'), { exact: true }).selectOption('KBANK');
  await page.getByLabel(t('bank.accountNo')).fill(person.accountNo);
  await page.getByLabel(t('bank.firstName')).fill('somchai');
  await page.getByLabel(t('bank.lastName')).fill('jaidee');
  await checkScreen(page, 'register bank');
  await page.getByRole('button', { name: t('auth.register') }).click();
  await expect(page.getByText(t('register.success'))).toBeVisible();
  await page.waitForURL('**/login', { timeout: 5_000 });
}

/** Logs in and opens home, with the agreement accepted if it appears. */
export async function logIn(
  page: Page,
  language: Language,
  phone: string,
  options: { remember?: boolean; password?: string; env?: Place } = {},
): Promise<void> {
  const t = (id: string) => textOf(language, id);
  await page.goto(`${(options.env ?? sharedEnv()).url}/login`);
  await page.getByLabel(t('auth.phone')).fill(phone);
  await page.getByLabel(t('auth.password'), { exact: true }).fill(options.password ?? PASSWORD);
  if (options.remember) await page.getByLabel(t('auth.rememberMe')).check();
  await page.getByRole('button', { name: t('auth.login') }).click();
  await page.waitForURL('**/user/home');
  await page.getByRole('button', { name: t('agree.accept') }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
