import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { seriousOn } from '../axe.ts';
import { buildGallery } from '../build.ts';
import { faultsOn, NO_FAULTS } from '../survey.ts';
import { test } from '../test.ts';
import { LANGUAGES } from '../texts.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const ORIGIN = 'https://gallery.test';
const SIZES = [
  [320, 640],
  [360, 780],
  [412, 915],
  [1280, 800],
] as const;

/** Answers the gallery's requests from the folder it was built into. */
const serve = (page: Page, folder: string) =>
  page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    try {
      const body = readFileSync(join(folder, pathname));
      return route.fulfill({ body, contentType: TYPES[extname(pathname)] ?? 'application/octet-stream' });
    } catch {
      return route.fulfill({ status: 404 });
    }
  });

/** Opens all that lies over the page, one after another; in one language, as the rest of the suite does it in others. */
async function lookAtModals(page: Page, theme: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  const buttons = page.locator('[data-modals] > button');
  for (let place = 0; place < (await buttons.count()); place++) {
    await buttons.nth(place).click();
    const modal = page.locator('dialog[open]');
    if ((await modal.count()) === 0) continue;
    expect(await faultsOn(page), `modal ${place}, ${theme}`).toEqual(NO_FAULTS);
    expect(await seriousOn(page, 'dialog[open]'), `axe, modal ${place}, ${theme}`).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(modal).toHaveCount(0);
  }
}

test('every component, in every state, fits and reads well in every language and theme', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-gallery-'));
  // Contrast is measured without motion.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await serve(page, await buildGallery(folder));
  for (const theme of ['light', 'dark'])
    for (const language of LANGUAGES) {
      await page.goto(`${ORIGIN}/gallery.html?language=${language}&theme=${theme}`);
      await expect(page.getByRole('main')).toBeVisible();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        expect(await faultsOn(page), `${language} ${theme} at ${width} px`).toEqual(NO_FAULTS);
      }
      expect(await seriousOn(page), `axe, ${language} ${theme}`).toEqual([]);
      if (language === 'la') await lookAtModals(page, theme);
    }
  rmSync(folder, { recursive: true });
});
