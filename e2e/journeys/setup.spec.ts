import { expect, type Page } from '@playwright/test';
import { checkConsole, openConsole, consoleText as t } from '../console.ts';
import { admin, call, control, inOwnEnv, operatorCall, type Place } from '../env-calls.ts';
import { keepPressing } from '../member.ts';
import { type Member, newMember, visit } from '../new-member.ts';
import { newOperator } from '../operator.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string, values?: Record<string, string>) => textOf('th', id, values);
const dialog = (page: Page) => page.getByRole('dialog').last();
const reason = (page: Page) => dialog(page).getByLabel(t('field.reason'));

/** Two administrators by the documented command; from then on they let the others in. */
async function firstOperators(env: Place): Promise<Place> {
  const cookies = await Promise.all(
    ['maker', 'checker'].map(async () => {
      const { name, password, code } = await newOperator('admin', { ...env, staff: undefined });
      return (await operatorCall('login', { name, password, code: code() }, env)).cookie;
    }),
  );
  return { ...env, staff: { maker: cookies[0]!, checker: cookies[1]! } };
}

async function addAccount(maker: Page, checker: Page): Promise<void> {
  await maker.getByRole('button', { name: t('channel.add') }).click();
  await dialog(maker).getByLabel(t('channel.mode')).click();
  await maker.getByRole('option', { name: t('channelMode.BANK-QR'), exact: true }).click();
  await dialog(maker).getByLabel(t('channel.bankCode')).fill('KBANK');
  await dialog(maker).getByLabel(t('channel.number')).fill('1112223334');
  await dialog(maker).getByLabel(t('channel.name')).fill('บริษัท ใหม่ จำกัด');
  await reason(maker).fill('บัญชีแรก');
  await dialog(maker)
    .getByRole('button', { name: t('withdrawals.sendToChecker') })
    .click();
  await expect(maker.locator('output')).toHaveText(t('approval.requested'));
  const waiting = checker.getByRole('row').filter({ hasText: '1112223334' });
  await waiting.getByRole('button', { name: t('approval.approve'), exact: true }).click();
  await dialog(checker)
    .getByRole('button', { name: t('approval.approve'), exact: true })
    .click();
  await expect(checker.getByText(t('approval.approved'), { exact: true }).first()).toBeVisible();
  await maker.reload();
  await expect(maker.getByRole('row').filter({ hasText: '111-222-3334' })).toBeVisible();
}

async function addGame(page: Page): Promise<void> {
  await expect(page.getByText(t('games.none'))).toBeVisible();
  await page.getByRole('button', { name: t('games.add') }).click();
  const form = dialog(page);
  await form.getByLabel(t('games.code')).fill('tiger');
  await form.getByLabel(t('games.nameIn', { language: 'ไทย' })).fill('เสือทอง');
  await form.getByLabel(t('games.nameIn', { language: 'English' })).fill('Golden Tiger');
  const chooser = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: t('banner.choosePicture') }).click();
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  await (await chooser).setFiles({ name: 'tiger.png', mimeType: 'image/png', buffer });
  await expect(form.locator('img')).toBeVisible();
  await form.getByLabel(t('games.agent')).fill('betflix');
  await form.getByRole('button', { name: t('games.test') }).click();
  await expect(form.getByRole('status')).toContainText(t('games.tested-REACHED').split('{')[0]!.trim());
  await reason(page).fill('เกมแรก');
  await checkConsole(page, 'game editor');
  await form.getByRole('button', { name: t('games.add') }).click();
  const change = page.getByRole('button', { name: `${t('content.change')} เสือทอง` });
  await change.click();
  await dialog(page).getByLabel(t('col.state')).click();
  await page.getByRole('option', { name: t('games.choose-OPEN') }).click();
  await reason(page).fill('เปิดให้เล่น');
  await dialog(page)
    .getByRole('button', { name: t('channel.save') })
    .click();
  await expect(page.getByRole('row').filter({ hasText: 'เสือทอง' })).toContainText(t('games.is-OPEN'));
  await checkConsole(page, 'games');
}

/** Pays a first QR; the balance grows by itself. */
async function deposit(page: Page, member: Member): Promise<void> {
  await page.getByRole('button', { name: th('deposit.tile'), exact: true }).click();
  await dialog(page)
    .getByRole('button')
    .filter({ hasText: th('deposit.anyBankApp') })
    .click();
  await page.getByRole('button', { name: '500', exact: true }).click();
  const made = page.waitForResponse(
    (reply) => reply.url().includes('/api/qrcode/KBANK') && reply.request().method() === 'POST',
  );
  await dialog(page).locator('button[type=submit]').click();
  const { payload } = await (await made).json();
  await keepPressing(page);
  await control('pay-qr', { payload, phone: member.phone }, member.env);
  await expect(page.getByText(th('qr.paid'))).toBeVisible();
  await page.getByRole('button', { name: th('btn.done') }).click();
}

/** Enters the game with money, stakes what was paid in, and comes home with what is left. */
async function play(page: Page, { token, env }: Member): Promise<void> {
  await page.getByRole('button', { name: 'เสือทอง' }).click();
  await dialog(page).getByRole('button', { name: '500', exact: true }).click();
  const [game] = await Promise.all([
    page.waitForEvent('popup'),
    dialog(page)
      .getByRole('button', { name: th('game.playWith', { amount: '' }) })
      .click(),
  ]);
  await game.waitForURL('**/games/betflix/play**');
  await game.close();
  const { username } = await call('GET /api/wallet/account/tiger', undefined, token, env);
  await control('play', { agent: 'betflix', username, rounds: 1, result: 'win', stake: '500.00' }, env);
}

async function withdraw(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: th('withdraw.tile'), exact: true }).click();
  await dialog(page).getByRole('textbox').fill('300');
  await dialog(page).locator('button[type=submit]').click();
  // What was deposited has been staked, so the bank is ordered at once.
  await expect(page.getByText(th('withdraw.done'))).toBeVisible();
}

test('an empty installation comes to its first deposit, play and withdrawal without SQL', async ({
  browser,
}) => {
  await inOwnEnv({ DEMO: 'false' }, async (own) => {
    const env = await firstOperators(own);
    const [{ page: finance }, { page: lead }, { page: gamesPage }] = await Promise.all([
      openConsole(browser, 'finance-lead', env, '/deposit-accounts'),
      openConsole(browser, 'finance-lead', env, '/approvals'),
      openConsole(browser, 'admin', env, '/'),
    ]);
    const first = gamesPage.getByRole('region', { name: t('setup.title') });
    await expect(first).toContainText(t('setup.deposit-account-how'));
    await checkConsole(gamesPage, 'first steps');
    await addAccount(finance, lead);
    await first.getByRole('link', { name: t('setup.game') }).click();
    await addGame(gamesPage);
    await gamesPage.getByRole('link', { name: t('nav.today') }).click();
    for (const item of ['game', 'deposit-account', 'administrators', 'cashiers'])
      await expect(first).toContainText(`${t(`setup.${item}`)} – ${t('setup.done')}`);
    const member = await newMember({ env });
    const phone = await visit(browser, {}, member);
    await phone.goto('/user/home');
    await deposit(phone, member);
    await play(phone, member);
    await withdraw(phone);
    await finance.goto('/withdrawals?status=ALL');
    await expect(finance.getByRole('row').nth(1)).toContainText('300.00');
    await expect(finance.getByRole('row').nth(1)).toContainText(t('state.SUCCESS'));
    expect(await admin(['ledger', 'verify'], env)).toMatch(/^The books are right/);
  });
});
