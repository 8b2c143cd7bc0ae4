import { expect } from '@playwright/test';
import { openConsole, consoleText as t } from '../console.ts';
import { sharedEnv } from '../env-calls.ts';
import { test } from '../test.ts';

test('changed terms of a bonus outlive another tab of the page, and are lost by a link or Back only when confirmed', async ({
  browser,
}) => {
  const { page } = await openConsole(browser, 'marketing', sharedEnv(), '/bonuses');
  await page.getByText('WEEKLY20', { exact: true }).click();
  const title = page.getByLabel(new RegExp(`^${t('bonus.title')}`)).first();
  await title.fill('Changed title');
  const { pathname } = new URL(page.url());
  const dialog = page.getByRole('dialog', { name: t('edit.leave') });
  await page.getByRole('tab', { name: t('content.history') }).click();
  await expect(title).toBeHidden();
  await page.getByRole('link', { name: t('bonus.back') }).click();
  await dialog.getByRole('button', { name: t('btn.cancel') }).click();
  await page.getByRole('tab', { name: t('bonus.terms') }).click();
  await expect(title).toHaveValue('Changed title');
  await page.evaluate(() => history.back());
  await expect(dialog).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(pathname);
  await dialog.getByRole('button', { name: t('edit.leaveYes') }).click();
  await expect(page).toHaveURL(/\/bonuses$/);
});
