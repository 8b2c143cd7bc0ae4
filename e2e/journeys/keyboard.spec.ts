import { expect, type Locator, type Page } from '@playwright/test';
import { control } from '../env-calls.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);

/** Most stops of the Tab key on a screen. */
const STOPS = 60;

/** Moves the focus with the Tab key until it is on a control, as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < STOPS; stop++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${control}`);
}

async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

test('a deposit and a withdrawal are made by keyboard alone, by the names that a screen reader speaks', async ({
  browser,
}) => {
  const member = await newMember({ balance: 300 });
  const page = await visit(browser, { device: 'desktop', language: 'en' }, member);
  const sheet = page.getByRole('dialog');
  const button = (name: string | RegExp, place: Page | Locator = sheet) =>
    place.getByRole('button', { name });
  await page.goto('/user/home');

  const deposit = page.getByRole('button', { name: t('deposit.tile'), exact: true });
  await press(page, deposit);
  await press(page, sheet.getByRole('button').filter({ hasText: t('deposit.anyBankApp') }));
  await press(page, sheet.getByRole('button', { name: '500', exact: true }));
  const made = page.waitForResponse(
    (reply) => reply.url().includes('/api/qrcode/KBANK') && reply.request().method() === 'POST',
  );
  await press(page, sheet.locator('button[type=submit]'));
  const { payload } = await (await made).json();
  await expect(page.getByRole('timer')).toBeVisible();
  await expect(sheet.getByRole('img', { name: t('qr.scan') })).toBeVisible();
  await control('pay-qr', { payload, phone: member.phone });
  await expect(sheet).toContainText(t('deposit.done'));
  await press(page, button(t('btn.close')));
  await expect(page.getByRole('region', { name: t('money.total') })).toContainText('800.00');

  await press(page, page.getByRole('button', { name: t('withdraw.tile'), exact: true }));
  await tabTo(page, sheet.getByRole('textbox', { name: t('withdraw.amount') }));
  await page.keyboard.type('200');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText(t('withdraw.waiting'));
  await press(page, button(t('btn.ok'), alert));
  await expect(page.getByRole('region', { name: t('money.total') })).toContainText('600.00');
});
