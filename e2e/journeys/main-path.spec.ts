import { expect, type Page } from '@playwright/test';
import { control } from '../env-calls.ts';
import { checkScreen, checkSheet, keepPressing, logIn, NO_AXE, register } from '../member.ts';
import { type BrowserSettings, meet, newPerson, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { LANGUAGES, type Language, textOf } from '../texts.ts';

/** The figure of the wallet on the balance card. */
const wallet = (page: Page, language: Language) =>
  page
    .locator('section, div')
    .filter({ hasText: textOf(language, 'money.total') })
    .first();

/** From here on only a live event can report that the QR was paid. */
const readQrByPollsNoLonger = (page: Page) => page.route('**/api/qrcode/*', (route) => route.abort());

async function depositByQr(page: Page, language: Language, person: { phone: string }): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  await page.getByRole('button', { name: t('deposit.tile'), exact: true }).click();
  await checkSheet(page, 'deposit chooser');
  await page
    .getByRole('dialog')
    .getByRole('button')
    .filter({ hasText: t('deposit.anyBankApp') })
    .click();
  await page.getByRole('button', { name: '500', exact: true }).click();
  await checkSheet(page, 'deposit amount');
  const made = page.waitForResponse(
    (reply) => reply.url().includes('/api/qrcode/KBANK') && reply.request().method() === 'POST',
  );
  await page.getByRole('dialog').locator('button[type=submit]').click();
  const { payload } = await (await made).json();
  await expect(page.getByRole('timer')).toHaveText(/0?9:\d\d/);
  await checkSheet(page, 'deposit QR');
  await readQrByPollsNoLonger(page);
  await keepPressing(page);
  await control('pay-qr', { payload, phone: person.phone });
  await expect(page.getByText(t('qr.paid'))).toBeVisible();
  await checkSheet(page, 'deposit paid');
  await page.getByRole('button', { name: t('btn.done') }).click();
  await page.unroute('**/api/qrcode/*');
  await expect(wallet(page, language)).toContainText('500.00');
}

async function playAndReturn(page: Page, language: Language): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  await page.getByRole('button', { name: 'Naga Tales' }).click();
  await checkSheet(page, 'closed game');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('game.open'), exact: true })
    .click();
  await expect(page.getByText(t('game.username'))).toBeVisible();
  await checkSheet(page, 'open game');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('transfer.title') })
    .click();
  await page.getByRole('button', { name: '100', exact: true }).click();
  await checkSheet(page, 'transfer');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect(page.getByText(t('transfer.success'))).toBeVisible();
  await page.getByRole('button', { name: t('btn.ok') }).click();
  await expect(wallet(page, language)).toContainText('400.00');

  await page.getByRole('button', { name: 'Naga Tales' }).click();
  const [game] = await Promise.all([
    page.waitForEvent('popup'),
    page
      .getByRole('dialog')
      .getByRole('button', { name: t('game.play') })
      .click(),
  ]);
  await game.waitForURL('**/games/betflix/play**');
  await game.locator('form[action$="/bet"] button').click();
  await expect(game.locator('#history .num').first()).toBeVisible();
  await game.close();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('money.refresh') }).click();
  await expect(page.getByRole('button', { name: 'Naga Tales' })).not.toContainText('100.00');

  await page.getByRole('button', { name: t('transfer.title'), exact: true }).click();
  await page.getByRole('combobox', { name: t('transfer.source') }).selectOption('betflix');
  await page.getByRole('combobox', { name: t('transfer.destination') }).selectOption('wallet');
  await page.getByRole('button', { name: t('transfer.only') }).click();
  await expect(page.getByText(t('transfer.success'))).toBeVisible();
  await page.getByRole('button', { name: t('btn.ok') }).click();
}

async function withdrawAndRead(page: Page, language: Language): Promise<void> {
  const t = (id: string, values?: Record<string, string>) => textOf(language, id, values);
  await page.getByRole('button', { name: t('withdraw.tile'), exact: true }).click();
  const amount = page.getByRole('dialog').getByRole('textbox');
  await amount.fill('60');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await checkSheet(page, 'withdraw below the minimum');
  await amount.fill('200');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect(page.getByText(t('withdraw.waiting'))).toBeVisible();
  await checkSheet(page, 'withdraw waiting');
  await page.getByRole('button', { name: t('receipt.view') }).click();
  // Paid by the bank meanwhile: the receipt says so by itself.
  await expect(page.getByRole('dialog')).toContainText(t('withdraw.done'));
  await checkSheet(page, 'receipt of a withdrawal');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: t('statement.nav') }).click();
  await expect(page.getByRole('heading', { name: t('statement.title') })).toBeVisible();
  const row = page
    .getByRole('button')
    .filter({ hasText: t('type.withdraw') })
    .first();
  await expect(row).toContainText(t('status.success'));
  await expect(row).toContainText('200.00');
  await checkScreen(page, 'statement');
  await row.click();
  await checkSheet(page, 'receipt');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row).toBeFocused();
}

async function otherScreens(page: Page, language: Language): Promise<void> {
  const t = (id: string) => textOf(language, id);
  await page.getByRole('link', { name: t('nav.profile') }).click();
  await expect(page.getByText(t('profile.memberId'), { exact: true })).toBeVisible();
  await checkScreen(page, 'profile');
  await page.getByRole('button', { name: t('nav.conditions') }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkSheet(page, 'conditions');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: t('nav.contact') }).click();
  await expect(page.getByText('1.1.14')).toBeVisible();
  await checkScreen(page, 'contact');
  await page.getByRole('button', { name: t('auth.logout') }).click();
  await page.waitForURL('**/login');
}

async function walk(page: Page, language: Language): Promise<void> {
  const person = newPerson();
  await meet(person);
  await register(page, language, person);
  await logIn(page, language, person.phone);
  await checkScreen(page, 'home');
  await depositByQr(page, language, person);
  await playAndReturn(page, language);
  await withdrawAndRead(page, language);
  await otherScreens(page, language);
}

const onTheWay = (title: string, language: Language, settings: BrowserSettings, tag: string[] = []) =>
  test(title, { tag }, async ({ browser }) => {
    const page = await visit(browser, { ...settings, language });
    await walk(page, language);
    await page.context().close();
  });

// Audited once: the looks audit each language and each device.
for (const language of LANGUAGES)
  onTheWay(
    `a member registers, pays in, plays and is paid out on a phone in ${language}`,
    language,
    {},
    language === 'th' ? [] : [NO_AXE],
  );
onTheWay(
  'a member walks the same path on a desktop, with motion',
  'en',
  { device: 'desktop', isMoving: true },
  [NO_AXE],
);
