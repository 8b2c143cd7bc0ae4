import { expect, type Page } from '@playwright/test';
import { checkScreen, checkSheet } from '../member.ts';
import { visit } from '../new-member.ts';
import { test } from '../test.ts';
import { LANGUAGES, textOf } from '../texts.ts';

/** The guides by their titles. */
const GUIDES = ['wallet', 'enterGame', 'checkBalance', 'receiveBonus', 'endBonus'];

/** A text without the marks that hold its words together on the page. */
const plain = (text: string): string => text.replaceAll(/[\u200b\u2060]/g, '');

const film = (page: Page) => page.locator('dialog video');

test('each guide plays its own video with captions in the language, and stops on close', async ({
  browser,
}) => {
  const seen = new Set<string>();
  for (const [turn, name] of GUIDES.entries()) {
    const language = LANGUAGES[turn % LANGUAGES.length]!;
    const t = (id: string) => textOf(language, id);
    const page = await visit(browser, { language, isMoving: true });
    await page.goto('/howto');
    await page.getByRole('button', { name: t(`howto.${name}`) }).click();
    await expect
      .poll(() => film(page).evaluate((video: HTMLVideoElement) => video.currentTime))
      .toBeGreaterThan(0.3);
    seen.add((await film(page).getAttribute('src'))!);
    // Which caption is shown now depends on how far the film has come: that one is, and what the first one says.
    const captions = () =>
      film(page).evaluate(({ textTracks: [track] }: HTMLVideoElement) => ({
        shown: track?.activeCues?.length,
        first: (track?.cues?.[0] as VTTCue | undefined)?.text ?? '',
      }));
    await expect.poll(async () => (await captions()).shown).toBe(1);
    expect(plain((await captions()).first)).toBe(plain(t(`howto.${name}1`)));
    await checkSheet(page, `howto ${name}`);
    const video = await film(page).elementHandle();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await video!.evaluate((element) => (element as HTMLVideoElement).paused)).toBe(true);
    await page.context().close();
  }
  expect(seen.size).toBe(GUIDES.length);
});

test('nothing of a video is loaded before its guide is opened; by keyboard too', async ({ browser }) => {
  const page = await visit(browser, { device: 'desktop', theme: 'dark', isMoving: true });
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/howto\/.*(mp4|vtt)$/.test(pathname)) requested.push(pathname);
  });
  await page.goto('/howto');
  for (const name of GUIDES)
    await expect(page.getByRole('button', { name: textOf('th', `howto.${name}`) })).toBeVisible();
  await checkScreen(page, 'howto desktop');
  expect(requested).toEqual([]);
  const last = page.getByRole('button', { name: textOf('th', 'howto.checkBalance') });
  await last.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => requested.filter((path) => path.endsWith('.mp4')).length).toBeGreaterThan(0);
  await checkSheet(page, 'howto desktop sheet');
  await page.keyboard.press('Escape');
  await expect(last).toBeFocused();
});
