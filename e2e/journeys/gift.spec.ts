import { expect, type Page } from '@playwright/test';
import { control } from '../env-calls.ts';
import { checkSheet, checkSheetInAll } from '../member.ts';
import { newMember, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const sheet = (page: Page) => page.getByRole('dialog');
const send = (page: Page) => sheet(page).locator('button[type=submit]');
const makeGift = (amount: number, more: object = {}) =>
  control('vouchers', { amount, phone: '0815550142', ...more }) as Promise<{ code: string; link: string }>;

async function openGift(page: Page, say: (id: string) => string): Promise<void> {
  await page.goto('/user/home');
  await page.getByRole('button', { name: say('deposit.tile'), exact: true }).click();
  await sheet(page)
    .getByRole('button')
    .filter({ hasText: say('deposit.giftTab') })
    .click();
  await expect(send(page)).toBeVisible();
}

test('a gift link is sent hidden and adds its money', async ({ browser }) => {
  const say = (id: string) => textOf('la', id);
  const member = await newMember();
  const page = await visit(browser, { language: 'la' }, member);
  await openGift(page, say);
  await expect(sheet(page)).toContainText(textOf('la', 'deposit.giftMin', { min: '2' }).split('2')[0]!);
  for (const nothing of ['', '   ']) {
    await sheet(page).getByRole('textbox').fill(nothing);
    await expect(send(page)).toBeDisabled();
  }
  await checkSheetInAll(page, 'gift link');
  const { link } = await makeGift(50);
  await sheet(page).getByRole('textbox').fill(link);
  const [request] = await Promise.all([page.waitForRequest('**/api/wallet/truelink'), send(page).click()]);
  const { link: sent } = request.postDataJSON() as { link: string };
  expect(sent).toMatch(/^U2FsdGVkX1/);
  expect(request.postData()).not.toContain('gift.truemoney');
  await expect(page.getByRole('alertdialog')).toContainText(say('deposit.giftSent'));
  await expect(page.getByRole('alertdialog')).toContainText('50.00');
  await checkSheetInAll(page, 'gift sent');
  await page.getByRole('button', { name: say('btn.ok'), exact: true }).click();
  await expect(page.getByLabel(say('money.total'))).toContainText('50.00');
  await openGift(page, say);
  await sheet(page).getByRole('textbox').fill(link);
  await send(page).click();
  await expect(sheet(page)).toContainText(say('deposit.giftOwn'));
  await checkSheetInAll(page, 'gift sent before');
  await sheet(page)
    .getByRole('textbox')
    .fill((await makeGift(1)).link);
  await send(page).click();
  await expect(sheet(page)).toContainText(say('error.TRUELINK_INVALID'));
  await page.goto('/user/statement');
  await expect(page.getByRole('main')).toContainText('50.00');
  await page.context().close();
});

test('a lost answer shows that it is being checked, and turns when the money is there', async ({
  browser,
}) => {
  const say = (id: string) => textOf('th', id);
  const member = await newMember();
  const page = await visit(browser, { language: 'th' }, member);
  await openGift(page, say);
  const { code, link } = await makeGift(90, { receivers: 3 });
  await control('faults', { party: 'gift', call: 'redeem', kind: 'cut-after', reference: code, count: 1 });
  await sheet(page).getByRole('textbox').fill(link);
  await send(page).click();
  await expect(page.getByRole('alertdialog')).toContainText(say('deposit.giftWaiting'));
  await checkSheet(page, 'gift waiting');
  await expect(page.getByRole('alertdialog')).toContainText(say('deposit.inWallet'));
  await expect(page.getByRole('alertdialog')).toContainText('30.00');
});
