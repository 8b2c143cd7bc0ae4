import { expect, type Page } from '@playwright/test';
import { checkConsole, consoleText, goByKeys, openConsole } from '../console.ts';
import { call, control, sharedEnv } from '../env-calls.ts';
import { checkScreenInAll, checkSheet, inAll, NO_AXE, register } from '../member.ts';
import {
  gameName,
  type Member,
  meet,
  newMember,
  newPerson,
  PASSWORD,
  payIn,
  playMoney,
  visit,
} from '../new-member.ts';
import { test } from '../test.ts';
import { type Language, textOf } from '../texts.ts';

const sheet = (page: Page) => page.getByRole('dialog').last();
const alert = (page: Page) => page.getByRole('alertdialog');
const rows = (page: Page) => page.getByRole('main').locator('section').getByRole('button');
/** What happens elsewhere is seen without a click. */

async function playAt(member: Member, stake: number, rounds: number, result: 'win' | 'lose'): Promise<void> {
  const username = await gameName(member, 'betflix');
  await control('play', { agent: 'betflix', username, stake, rounds, result });
}

/** Keeps the answers of an address back until what it answers is called. */
async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** The newest row of the statement is named in every language by this text. */
async function seeRow(page: Page, id: string): Promise<void> {
  await page.goto('/user/statement');
  await expect(rows(page).first()).toBeVisible();
  await inAll(page, async (language) => {
    await expect(rows(page).first()).toContainText(textOf(language, id));
  });
  await checkScreenInAll(page, id);
}

/** Registers through a link in a browser of its own; returns the new member with a session. */
async function registerBy(page: Page, language: Language, link: string): Promise<Member> {
  const person = newPerson();
  await meet(person);
  await register(page, language, person, sharedEnv(), link);
  const { token } = await call(
    'POST /api/login',
    { username: person.phone, password: PASSWORD },
    null,
    sharedEnv(),
  );
  return { ...person, token, env: sharedEnv() };
}

test('a friend registers by the link, pays in and plays; the inviter sees it come and receives it', {
  tag: NO_AXE,
}, async ({ browser }) => {
  const t = (id: string, values?: Record<string, string>) => textOf('th', id, values);
  const me = await newMember();
  const page = await visit(browser, { language: 'th' }, me);
  await page.goto('/user/home');
  await page.getByRole('button', { name: t('invite.title'), exact: true }).click();
  await expect(sheet(page)).toContainText(t('invite.empty'));
  const link = await sheet(page).getByText('/register?code=PR').innerText();
  await page.keyboard.press('Escape');

  const theirs = await visit(browser, { language: 'th' });
  const friend = await registerBy(theirs, 'th', link);
  await theirs.context().close();
  await expect(page.getByText(t('invite.bonus'))).toHaveCount(0);
  await payIn(friend, 200);
  const reward = page.locator('section').filter({ hasText: t('invite.bonus') });
  await expect(reward).toContainText('10.00');
  await reward.getByRole('button', { name: t('bonus.receive') }).click();
  await expect(alert(page)).toContainText(t('invite.condition', { success: '200', fail: '10' }));
  await checkSheet(page, 'invite confirm');
  await alert(page)
    .getByRole('button', { name: t('invite.receive') })
    .click();
  await expect(page.getByText(t('error.NO_INVITEE_PLAY_INFO'))).toBeVisible();

  await playMoney(friend, 'betflix', 200);
  await playAt(friend, 200, 3, 'win');
  await page.getByRole('button', { name: t('invite.title'), exact: true }).click();
  await expect(sheet(page)).toContainText(t('invite.waits'));
  await expect(sheet(page)).toContainText('ทดสอบ ใจดี');
  await checkSheet(page, 'invite');
  await sheet(page)
    .getByRole('button', { name: t('bonus.receive') })
    .click();
  await alert(page)
    .getByRole('button', { name: t('invite.receive') })
    .click();
  await expect(page.getByText(t('error.INVITE_BONUS_SUCCESS'))).toBeVisible();
  await expect(sheet(page)).toContainText(t('receipt.title'));
  await checkSheet(page, 'receipt of an invite bonus');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('invite.title'), exact: true }).click();
  await expect(sheet(page)).toContainText(t('invite.received'));
  await page.keyboard.press('Escape');
  await expect(page.getByLabel(t('money.total'))).toContainText('10.00');
  await expect(reward).toHaveCount(0);
  await seeRow(page, 'invite.bonus');
});

test('a part of what was lost is received once a day and added to the wallet when confirmed', {
  tag: NO_AXE,
}, async ({ browser }) => {
  const t = (id: string, values?: Record<string, string>) => textOf('la', id, values);
  const me = await newMember({ balance: 1_000 });
  await playMoney(me, 'betflix', 400);
  await playAt(me, 400, 1, 'lose');
  await call('GET /api/bonus/activate/WELCOME50', undefined, me.token, me.env);
  const page = await visit(browser, { language: 'la' }, me);
  await page.goto('/user/home');
  const open = () => page.getByRole('button', { name: t('refund.title'), exact: true }).click();
  const receive = sheet(page).getByRole('button', { name: t('refund.receive') });
  // While the first page is being determined, a spinner is shown.
  const goOn = await hold(page, '**/api/refund/banners');
  const requested = page.waitForRequest('**/api/refund/banners');
  await open();
  await requested;
  await expect(page.locator('[aria-busy=true]')).toBeVisible();
  await expect(sheet(page)).toHaveCount(0);
  goOn();
  await expect(sheet(page)).toContainText(t('refund.locked'));
  await expect(receive).toBeDisabled();
  await page.keyboard.press('Escape');

  await call('POST /api/bonus/forfeit', undefined, me.token, me.env);
  await open();
  await expect(sheet(page)).toContainText('400.00');
  await expect(receive).toBeEnabled();
  await checkSheet(page, 'refund');
  await receive.click();
  await expect(sheet(page)).toContainText(t('refund.today'));
  await expect(receive).toBeDisabled();
  const add = sheet(page).getByRole('button', { name: t('refund.addToWallet') });
  await add.click();
  await alert(page)
    .getByRole('button', { name: t('btn.cancel') })
    .click();
  const { wallet } = await call('GET /api/wallet', undefined, me.token, me.env);
  expect(wallet.amount).toBe(600);
  await add.click();
  await checkSheet(page, 'refund to wallet');
  await alert(page)
    .getByRole('button', { name: t('refund.addToWallet') })
    .click();
  await expect(alert(page)).toContainText(t('refund.added'));
  await alert(page)
    .getByRole('button', { name: t('btn.ok') })
    .click();
  await expect(sheet(page)).toContainText(t('refund.ofLoss', { percent: '5', loss: '400.00\u00a0ບາດ' }));
  await expect(add).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByLabel(t('money.total'))).toContainText('620.00');
  await seeRow(page, 'bonus.refund');
});

test('marketing sees who was invited and what was paid, the state of each, and changes the terms', async ({
  browser,
}) => {
  const t = consoleText;
  const me = await newMember({ balance: 100 });
  const { profile } = await call('GET /api/wallet', undefined, me.token, me.env);
  await newMember({ inviteCode: `PR${profile._id}`, balance: 1 });
  await playMoney(me, 'betflix', 100);
  await playAt(me, 100, 1, 'lose');
  await call('GET /api/refund/receive', undefined, me.token, me.env);
  const { page } = await openConsole(browser, 'marketing');
  await goByKeys(page, 'v');
  await expect(page.getByRole('heading', { level: 1, name: t('nav.rewards') })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: profile._id });
  await expect(row).toContainText(t('inviteState.ACCRUED'));
  await checkConsole(page, 'rewards invites');
  await page.getByRole('tab', { name: t('refunds.title') }).click();
  await expect(row).toContainText('5.00');
  await checkConsole(page, 'rewards refunds');

  await page.goto('/settings');
  const setting = t('setting.invite.days');
  await page.getByRole('button', { name: `${t('content.change')} ${setting}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('31');
  await dialog.getByLabel(t('field.reason')).fill('ตามที่ตกลง');
  await dialog.getByRole('button', { name: t('channel.save') }).click();
  await expect(page.getByText(t('settings.saved'))).toBeVisible();
  await expect(
    page.getByRole('button', { name: `${t('content.change')} ${t('setting.withdraw.minimum')}` }),
  ).toHaveCount(0);
  await page.context().close();

  const { page: other } = await openConsole(browser, 'risk', sharedEnv(), `/members/${profile._id}`);
  await other.getByRole('tab', { name: t('invites.title'), exact: true }).click();
  await expect(other.getByRole('tabpanel')).toContainText(t('inviteState.ACCRUED'));
});
