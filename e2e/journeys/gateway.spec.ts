import { expect, type Page } from '@playwright/test';
import { call, control } from '../env-calls.ts';
import { checkSheetInAll, keepPressing } from '../member.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string) => textOf('en', id);
const sheet = (page: Page) => page.getByRole('dialog');
const submit = (page: Page) => sheet(page).locator('button[type=submit]');
const timer = (page: Page) => page.getByRole('timer');

async function openChooser(page: Page, tile: string): Promise<void> {
  await page.goto('/user/home');
  await page.getByRole('button', { name: tile, exact: true }).click();
  await expect(sheet(page).getByRole('button', { name: 'ZAPMAN' })).toBeVisible();
}
const choose = (page: Page, gateway: 'WW' | 'ZAPMAN') =>
  sheet(page)
    .getByRole('button', { name: new RegExp(`^${gateway}\\b`) })
    .click();

test("a gateway's QR is made from 100 on, paid, and turns by itself", async ({ browser }) => {
  const say = (id: string) => textOf('la', id);
  const member = await newMember();
  const page = await visit(browser, { language: 'la' }, member);
  await openChooser(page, say('deposit.tile'));
  await checkSheetInAll(page, 'deposit channels');
  await choose(page, 'WW');
  const quick = sheet(page).getByRole('group', { name: say('deposit.quick') });
  await expect(quick.getByRole('button')).toHaveText(['100', '200', '300', '500', /^1,?000|1k$/i]);
  for (const few of ['', '0', '1', '99.99']) {
    await sheet(page).getByRole('textbox').fill(few);
    await expect(submit(page)).toBeDisabled();
  }
  await sheet(page).getByRole('textbox').fill('100');
  await expect(submit(page)).toBeEnabled();
  await checkSheetInAll(page, 'gateway amount');
  await quick.getByRole('button', { name: '200', exact: true }).click();
  await submit(page).click();
  await expect(timer(page)).toHaveText(/0?9:\d\d/);
  await checkSheetInAll(page, 'gateway QR');
  const { payload } = await call('GET /api/qrcode/WW', undefined, member.token, member.env);
  await keepPressing(page);
  await control('pay-qr', { payload, phone: member.phone });
  await expect(page.getByText(say('qr.paid'))).toBeVisible();
  await checkSheetInAll(page, 'gateway paid');
  await page.getByRole('button', { name: say('btn.done') }).click();
  await expect(page.getByLabel(say('money.total'))).toContainText('200.00');
  await page.context().close();
});

test('of two tabs with two providers only the newer QR stays', async ({ browser }) => {
  const member = await newMember();
  const first = await visit(browser, { language: 'en' }, member);
  await openChooser(first, t('deposit.tile'));
  await choose(first, 'WW');
  await first.getByRole('button', { name: '100', exact: true }).click();
  await submit(first).click();
  await expect(timer(first)).toBeVisible();
  const second = await first.context().newPage();
  await openChooser(second, t('deposit.tile'));
  await sheet(second)
    .getByRole('button')
    .filter({ hasText: t('deposit.anyBankApp') })
    .click();
  await second.getByRole('button', { name: '50', exact: true }).click();
  await submit(second).click();
  await expect(timer(second)).toBeVisible();
  await first.bringToFront();
  await first.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(timer(first)).toHaveCount(0);
  await expect(submit(first)).toBeVisible();
});

test('a gateway that cannot make one says so in a red toast, and cancelling makes room', async ({
  browser,
}) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await control('faults', { party: 'zapman', call: 'create-payment', kind: 'outage', count: 1 });
  await openChooser(page, t('deposit.tile'));
  await choose(page, 'ZAPMAN');
  await page.getByRole('button', { name: '300', exact: true }).click();
  await submit(page).click();
  await expect(page.getByRole('alert')).toContainText(t('error.QR_FAIL'));
  await submit(page).click();
  await expect(timer(page)).toBeVisible();
  await page.getByRole('button', { name: t('qr.cancel') }).click();
  await expect(timer(page)).toHaveCount(0);
  await expect(submit(page)).toBeVisible();
});
