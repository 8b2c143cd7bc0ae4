import { expect, type Locator, type Page } from '@playwright/test';
import { log, openChat } from '../chat.ts';
import { lookAt, lookAtSheet, NO_AXE } from '../member.ts';
import { type Looks, type Member, newMember, playMoney, visit } from '../newcomer.ts';
import { handIn, makeSlip } from '../slips.ts';
import { test } from '../test.ts';
import { LANGUAGES, type Language, textOf } from '../texts.ts';

/** Each language is audited in one looks, each looks fully in one; the whole path once more, in the light at 360 px. */
const LOOKS: Record<string, Looks & { audited: readonly Language[]; fully: Language }> = {
  'at 320 px in the dark': { device: 'small', theme: 'dark', audited: ['th', 'la'], fully: 'th' },
  'on a desktop': { device: 'desktop', audited: ['en'], fully: 'en' },
};

/** The member's pages as he goes to them: loading each anew costs as much as looking at a dozen. */
function ways(page: Page, language: Language) {
  const t = (id: string) => textOf(language, id);
  const main = page.getByRole('main');
  const menu = page.getByRole('navigation', { name: t('shell.menu') });
  const go = async (label: string, address: string) => {
    await menu.getByRole('link', { name: t(label), exact: true }).click();
    await expect(page).toHaveURL(address);
  };
  const press = async (id: string, address: string) => {
    await main
      .getByRole('button')
      .filter({ hasText: t(id) })
      .first()
      .click();
    await expect(page).toHaveURL(address);
  };
  return {
    statement: () => go('statement.nav', '/user/statement'),
    profile: () => go('nav.profile', '/user/profile'),
    async bonus() {
      await go('nav.home', '/user/home');
      await press('bonus.bonus', '/user/bonus');
    },
    async limits() {
      await go('nav.profile', '/user/profile');
      await press('limit.page', '/user/limits');
    },
  };
}

async function lookAtSheets(page: Page, language: Language): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  const sheet = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  };
  const openDeposit = () => page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  const channel = (text: string) => sheet.getByRole('button').filter({ hasText: text });
  await openDeposit();
  await expect(channel(t('deposit.giftTab'))).toBeVisible();
  await lookAtSheet(page, 'deposit channels');
  await channel(t('deposit.giftTab')).click();
  await expect(sheet.getByRole('textbox')).toBeVisible();
  await lookAtSheet(page, 'gift link');
  await close();
  await openDeposit();
  await channel(t('slip.afterTransfer')).click();
  await expect(sheet.getByText(t('slip.choose'))).toBeVisible();
  await lookAtSheet(page, 'slip');
  await close();
  await openDeposit();
  await channel(t('deposit.anyBankApp')).click();
  await page.getByRole('button', { name: '500', exact: true }).click();
  await sheet.locator('button[type=submit]').click();
  await expect(page.getByRole('timer')).toBeVisible();
  await lookAtSheet(page, 'deposit QR');
  await close();
  await page.getByRole('button', { name: t('transfer.title'), exact: true }).click();
  await lookAtSheet(page, 'transfer');
  await close();
  await page.getByRole('button', { name: t('withdraw.tile'), exact: true }).click();
  await expect(page.getByText(t('withdraw.amount'), { exact: true })).toBeVisible();
  await lookAtSheet(page, 'withdraw');
  await close();
  await page.getByRole('button', { name: t('invite.title'), exact: true }).click();
  await expect(sheet).toContainText(t('invite.empty'));
  await lookAtSheet(page, 'invite');
  await close();
  await page.getByRole('button', { name: t('refund.title'), exact: true }).click();
  await expect(sheet).toContainText(t('refund.empty'));
  await lookAtSheet(page, 'refund');
  await close();
  await page
    .getByRole('main')
    .getByRole('button', { name: t('notify.title') })
    .click();
  await expect(sheet.getByText(t('notify.deposit'))).toBeVisible();
  await lookAtSheet(page, 'notifications');
  await sheet.getByRole('button', { name: t('push.title') }).click();
  await expect(sheet.getByRole('switch', { name: t('push.hides') })).toBeVisible();
  await lookAtSheet(page, 'alerts');
  await close();
}

/** The wheel and the place of coupons before any was won. */
async function lookAtWheel(page: Page, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  await page.getByRole('button', { name: t('wheel.spin'), exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(t('coupon.none'));
  await lookAtSheet(page, 'wheel');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The list of slips with one that was refused. */
async function lookAtSlips(page: Page, member: Member, language: Language): Promise<void> {
  await handIn(member, await makeSlip(member, { kind: 'wrong-receiver', amount: '45678.00' }));
  await page.getByRole('button', { name: textOf(language, 'slip.uploadStatus') }).click();
  const note = textOf(language, 'error.INVALID_DESTINATION_ACCOUNT');
  await expect(page.getByRole('dialog')).toContainText(note);
  await lookAtSheet(page, 'slips');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** What a member sees most, each page as it looks once its data is there. */
async function walk(page: Page, member: Member, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  const to = ways(page, language);
  await page.goto('/user/home');
  await expect(page.getByLabel(t('money.total'))).toContainText('1,204.50');
  await lookAt(page, 'home');
  await lookAtSheets(page, language);
  await lookAtWheel(page, language);
  await to.statement();
  await expect(page.getByRole('main').locator('section').getByRole('button').nth(1)).toBeVisible();
  await lookAt(page, 'statement');
  await page.getByRole('button', { name: t('statement.filter'), exact: true }).click();
  await lookAt(page, 'statement filter');
  await lookAtSlips(page, member, language);
  await to.profile();
  const account = member.accountNo.replace(/^(\d{3})(\d{3})/, '$1-$2-');
  await expect(page.getByText(account)).toBeVisible();
  await lookAt(page, 'profile');
  await to.bonus();
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await lookAt(page, 'bonuses');
  await page.getByRole('listitem').first().getByRole('button').click();
  await expect(page.getByRole('dialog').getByText(t('bonus.lock'))).toBeVisible();
  await lookAtSheet(page, 'bonus');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await to.limits();
  await expect(page.getByText(t('limit.timeoutLead'))).toBeVisible();
  await lookAt(page, 'limits');
}

/** Every sheet that no tile of home opens, at its own place. */
async function lookAtOtherSheets(page: Page, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  const sheet = page.getByRole('dialog');
  const main = page.getByRole('main');
  const to = ways(page, language);
  const row = (id: string) =>
    main
      .getByRole('button')
      .filter({ hasText: t(id) })
      .first();
  const look = async (name: string, button: Locator) => {
    await button.click();
    await lookAtSheet(page, name);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  };
  await to.statement();
  await look('receipt', main.locator('section').getByRole('button').nth(1));
  await look('conditions', page.getByRole('button', { name: t('nav.conditions') }));
  await to.bonus();
  await page.getByLabel(t('promo.ask')).fill('FRIEND100');
  await look('promotion', main.getByRole('button', { name: t('promo.search'), exact: true }));
  await to.limits();
  for (const id of ['limit.day', 'limit.reminder', 'limit.timeoutLead']) await look(id, row(id));
  await to.profile();
  await look('password', main.getByRole('button', { name: t('profile.changePassword') }));
  for (const id of ['profile.changeAccount', 'device.title', 'pin.title']) await look(id, row(id));
  await row('data.title').click();
  await look('close', sheet.getByRole('button').filter({ hasText: t('close.title') }));
  await page.evaluate(() => localStorage.removeItem('remember-agreement'));
  await page.goto('/user/home');
  await expect(sheet).toContainText(t('agree.title'));
  await lookAtSheet(page, 'agreement');
  await sheet.getByRole('button', { name: t('agree.accept') }).click();
  await expect(sheet).toHaveCount(0);
  await look('game', page.getByRole('button', { name: 'Lantern Night' }));
  await openChat(page, language);
  await expect(log(page)).toContainText(t('chat.hello'));
  await lookAt(page, 'chat');
}

for (const language of LANGUAGES) {
  for (const [name, { audited, fully, ...looks }] of Object.entries(LOOKS)) {
    const tag = audited.includes(language) ? [] : NO_AXE;
    test(`everything fits and reads well ${name} in ${language}`, { tag }, async ({ browser }) => {
      const member = await newMember({ balance: 1204.5 });
      await playMoney(member, 'areaslot', 300);
      const login = await visit(browser, { ...looks, language });
      await login.goto('/login');
      await expect(login.getByRole('heading', { name: textOf(language, 'auth.login') })).toBeVisible();
      await lookAt(login, 'login');
      await login.context().close();
      const page = await visit(browser, { ...looks, language }, member);
      await walk(page, member, language);
      if (language === fully) await lookAtOtherSheets(page, language);
      await page.context().close();
    });
  }
}
