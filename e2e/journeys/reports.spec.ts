import { expect, type Page } from '@playwright/test';
import { checkConsole, DESKTOP, openConsole, consoleText as t } from '../console.ts';
import { newMember, payIn } from '../new-member.ts';
import { test } from '../test.ts';

const SMALL = { width: 1280, height: 720 };

/** Looks at the page in every language, on a small screen and on a large one; ends in Thai. */
async function checkInAll(page: Page, name: string, isReady: () => Promise<void>): Promise<void> {
  for (const [size, language] of [
    [SMALL, 'en'],
    [SMALL, 'la'],
    [DESKTOP, 'th'],
  ] as const) {
    await page.setViewportSize(size);
    await page.evaluate((value) => localStorage.setItem('locale', value), language);
    await page.reload();
    await isReady();
    await checkConsole(page, `${name} ${language} ${size.width}`);
  }
}

test('reports over hours, liabilities and withdrawal times have charts, and lead to the rows behind them', async ({
  browser,
}) => {
  const member = await newMember({ balance: 2_000 });
  await payIn(member, 350);
  const { page } = await openConsole(browser, 'finance-lead', member.env, '/figures?report=hours');
  const row = page.getByRole('table').getByRole('row').nth(1);
  for (const report of ['hours', 'liabilities']) {
    await page.goto(`/figures?report=${report}`);
    const isReady = async () => {
      await expect(row).toBeVisible();
      await expect(page.getByRole('img').first()).toBeVisible();
    };
    await isReady();
    await checkInAll(page, `report ${report}`, isReady);
  }
  await page.goto('/figures?report=waiting');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.figures') })).toBeVisible();
  await page.goto('/figures?report=hours');
  await row.click();
  await expect(page).toHaveURL(/\/deposits\?channel=\w+&from=[\d-]+&to=[\d-]+/);
  await expect(page.getByRole('heading', { level: 1, name: t('nav.deposits') })).toBeVisible();
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
});

test('a report is scheduled by e-mail and removed', async ({ browser }) => {
  const { page } = await openConsole(browser, 'finance-lead', undefined, '/figures');
  const open = () => page.getByRole('button', { name: t('schedules.open') }).click();
  await open();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(t('schedules.noMail'));
  await dialog.getByText(t('schedules.WEEK')).click();
  await dialog.getByRole('combobox', { name: t('schedules.recipients') }).fill('books@krapao.example');
  await page.keyboard.press('Enter');
  await checkConsole(page, 'schedules th');
  await dialog.getByRole('button', { name: t('schedules.save') }).click();
  const scheduled = dialog.getByText('books@krapao.example');
  // The address stands in the field, too, until it is saved.
  await expect(dialog.getByRole('button', { name: t('chats.remove') })).toBeVisible();
  await expect(scheduled).toBeVisible();
  for (const language of ['la', 'en', 'th']) {
    await page.evaluate((value) => localStorage.setItem('locale', value), language);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (language === 'th') await open();
    else
      await page
        .locator('button:has(svg)')
        .filter({ hasText: /e-mail|ອີເມວ/ })
        .click();
    await expect(scheduled).toBeVisible();
    await checkConsole(page, `schedules listed ${language}`);
  }
  await dialog.getByRole('button', { name: t('chats.remove') }).click();
  await expect(scheduled).toHaveCount(0);
});
