import { expect, type Locator, type Page } from '@playwright/test';
import { call, control } from '../env-calls.ts';
import { checkScreen, checkScreenInAll, checkSheet, checkSheetInAll, inAll, NO_AXE } from '../member.ts';
import { gameName, type Member, newMember, payIn, playMoney, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { drawnText, type Language, textOf } from '../texts.ts';

const sheet = (page: Page) => page.getByRole('dialog').last();
const alert = (page: Page) => page.getByRole('alertdialog');
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const figure = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2 });

const request = (member: Member, name: string) => call(name, undefined, member.token, member.env);

async function openBonuses(page: Page, language: Language): Promise<void> {
  await page.goto('/user/bonus');
  await expect(page.getByRole('heading', { name: textOf(language, 'bonus.page') })).toBeVisible();
  await expect(card(page, '%').first()).toBeVisible();
}

async function search(page: Page, language: Language, code: string): Promise<void> {
  const field = page.getByLabel(textOf(language, 'promo.prompt'));
  await field.fill(code);
  await expect(field).toHaveValue(code.toUpperCase());
  await field.press('Enter');
}

/** What operators call the welcome bonus, to each reader. */
const WELCOME = { th: 'โบนัสต้อนรับ', la: 'ໂບນັດຕ້ອນຮັບ', en: 'Welcome bonus' };

test('cards stand open, in use and received; a promotion is found by its code or not', async ({
  browser,
}) => {
  const t = (id: string, values?: Record<string, string>) => textOf('th', id, values);
  const member = await newMember({ balance: 500 });
  await request(member, 'GET /api/bonus/activate/KITE10');
  const page = await visit(browser, { language: 'th' }, member);
  await openBonuses(page, 'th');
  await expect(card(page, 'ว่าวลมดี').getByRole('button')).toBeDisabled();
  await expect(card(page, 'ว่าวลมดี')).toContainText(t('bonus.received'));
  await checkScreen(page, 'bonuses');

  await card(page, 'ฝากแรกของวัน').getByRole('button').click();
  await expect(sheet(page)).toContainText(t('bonus.depositNeeded'));
  await expect(sheet(page)).toContainText('ไม่เกิน 10%');
  await sheet(page)
    .getByRole('button', { name: t('bonus.depositNow', { amount: '100\u00a0บาท' }) })
    .click();
  await sheet(page).getByText(t('deposit.anyBankApp')).click();
  await expect(sheet(page).getByRole('button', { name: /100\.00/ })).toBeEnabled();
  await page.goBack();
  await page.goBack();
  await payIn(member, 500);
  await expect(sheet(page)).toContainText('1,100.00');
  await sheet(page)
    .getByRole('button', { name: t('btn.close') })
    .click();

  await search(page, 'th', 'nothing1');
  await expect(sheet(page)).toContainText(t('promo.notFound'));
  await checkSheet(page, 'promotion not found');
  await page.goBack();
  await search(page, 'th', 'friend100');
  await expect(sheet(page)).toContainText(t('bonus.ofBase', { percent: '10' }));
  await expect(sheet(page)).toContainText('รับเพิ่มเท่าตัว');
  await checkSheet(page, 'promotion');
  await sheet(page)
    .getByRole('button', { name: new RegExp(t('bonus.receiveSum', { amount: '' })) })
    .click();
  await expect(alert(page)).toContainText(t('bonus.saved'));
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();
  await expect(page.getByRole('heading', { name: 'เพื่อนชวน 100%' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(t('bonus.active'));
  await checkScreen(page, 'promotion under way');
});

test('a run shows how far it is, cannot be cancelled before its time, and can be given up', {
  tag: NO_AXE,
}, async ({ browser }) => {
  const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);
  const member = await newMember({ balance: 500 });
  const page = await visit(browser, { language: 'en', theme: 'dark' }, member);
  await openBonuses(page, 'en');
  await card(page, 'Welcome bonus').getByRole('button').click();
  await checkSheet(page, 'bonus');
  await sheet(page)
    .getByRole('button', { name: new RegExp(t('bonus.receiveSum', { amount: '' })) })
    .click();
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();
  await expect(card(page, 'Welcome bonus')).toContainText(t('bonus.inUse'));
  const main = page.getByRole('main');
  await main.getByText(t('bonus.conditions')).click();
  const run = await request(member, 'GET /api/bonus/check/active');
  for (const amount of [run.base, run.balance, run.target, run.floor])
    await expect(main).toContainText(figure(amount));
  await checkScreen(page, 'run');

  await card(page, 'Weekend').getByRole('button').click();
  await expect(sheet(page).getByRole('button', { name: t('btn.confirm') })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: t('bonus.cancel') }).click();
  await expect(alert(page)).toContainText(t('bonus.cancelFail'));
  await expect(alert(page)).toContainText('750.00');
  await checkScreen(page, 'cancel refused');
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();

  await page.goto('/user/home');
  await expect(page.getByRole('button', { name: t('bonus.inUseTile') })).toBeVisible();
  // What is won or lost is shown when the page is opened again.
  await playMoney(member, 'betflix', 200);
  const username = await gameName(member, 'betflix');
  await control('play', { agent: 'betflix', username, stake: 200, rounds: 1, result: 'lose' });
  await request(member, 'GET /api/wallet/refresh/slot');
  await page.goto('/user/bonus');
  await expect(main).toContainText('550.00');
  await page.getByRole('button', { name: t('bonus.giveUp') }).click();
  await expect(alert(page)).toContainText('50.00');
  await expect(alert(page)).toContainText('500.00');
  await checkScreen(page, 'give up');
  await alert(page)
    .getByRole('button', { name: t('bonus.giveUp') })
    .click();
  await expect(page.getByText(t('error.BONUS_CLEAR'))).toBeVisible();
  await expect(page.getByLabel(t('promo.prompt'))).toBeVisible();
  expect((await request(member, 'GET /api/wallet')).wallet.amount).toBe(500);
  await expect(card(page, 'Welcome bonus')).toContainText(t('bonus.received'));

  await page.goto('/user/statement');
  const rows = page.getByRole('main').locator('section').getByRole('button');
  await expect(rows.first()).toBeVisible();
  const seeEnd = (place: Locator) =>
    inAll(page, (language) =>
      expect(place).toContainText(
        `${textOf(language, 'type.finish_bonus')} · ${drawnText(language, WELCOME[language])}`,
      ),
    );
  await seeEnd(rows.first());
  await expect(rows.filter({ hasText: /^Welcome bonus/ })).toContainText('+');
  await checkScreenInAll(page, 'statement with a run');
  await rows.first().click();
  await seeEnd(sheet(page));
  await checkSheetInAll(page, 'receipt of an end');
});
