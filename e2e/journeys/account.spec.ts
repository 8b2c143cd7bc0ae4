import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { call } from '../env-calls.ts';
import { checkScreen, checkSheet, logIn } from '../member.ts';
import { newMember, PASSWORD, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const th = (id: string, values?: Record<string, string>) => textOf('th', id, values);

const button = (page: Page, id: string) => page.getByRole('button', { name: th(id), exact: true });

test('a login from a new device shows a prompt, from which it can be ended', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, {}, member);
  const strange = await visit(browser);
  await page.goto('/user/home');
  await expect(page.getByText(th('money.total')).first()).toBeVisible();
  await logIn(strange, 'th', member.phone);
  // Shown on the open page, without a reload.
  await expect(page.getByText(th('device.alert'))).toBeVisible();
  await checkScreen(page, 'home with a login to look at');
  // On another page and after a reload it is shown again, until it is dismissed; the dismissal is stored for this login.
  await page.goto('/user/profile');
  const notice = page.getByRole('status').filter({ hasText: th('device.alert') });
  await expect(notice).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const themes = page.getByRole('group', { name: th('theme.title') });
  const [below, end] = [await notice.boundingBox(), await themes.boundingBox()];
  expect(end!.y + end!.height, 'the end of the page is clear of the notice').toBeLessThan(below!.y);
  await notice.getByRole('button', { name: th('btn.close') }).click();
  await expect(notice).toHaveCount(0);
  const requested = page.waitForResponse('**/api/account/sessions');
  await page.reload();
  await requested;
  await expect(notice).toHaveCount(0);
  await page.context().clearCookies({ name: 'seen-logins' });
  await page.goto('/user/home');
  await button(page, 'device.look').click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText('Chrome · Linux')).toBeVisible();
  await checkSheet(page, 'devices');
  await sheet.getByRole('button', { name: th('auth.logout'), exact: true }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: th('auth.logout') })
    .click();
  await expect(sheet.getByText('Chrome · Linux')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText(th('device.alert'))).toHaveCount(0);
  // The socket may have delivered it before the page makes a call.
  const profile = strange.getByRole('link', { name: th('nav.profile') });
  await profile.click({ timeout: 2000 }).catch(() => undefined);
  await strange.waitForURL('**/login');

  await strange.getByLabel(th('auth.phone')).fill(member.phone);
  await strange.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
  await button(strange, 'auth.login').click();
  await strange.waitForURL('**/user/home');
  await page.goto('/user/profile');
  await page
    .getByRole('button')
    .filter({ hasText: th('device.title') })
    .click();
  // The same browser again is no new device.
  await expect(sheet.getByText(th('device.new'))).toHaveCount(0);
  await button(page, 'device.endOthers').click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: th('auth.logout') })
    .click();
  await expect(page.getByText(th('device.ended', { count: '1' }))).toBeVisible();
  await profile.click({ timeout: 2000 }).catch(() => undefined);
  await strange.waitForURL('**/login');
});

const item = (page: Page, text: string) =>
  page.getByRole('main').getByRole('button').filter({ hasText: text });

/** Sets a limit on deposits and requests a higher one; the deposit page shows what is left. */
async function limitDeposits(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog');
  await item(page, th('limit.day')).first().click();
  const amount = sheet.getByRole('textbox', { name: th('limit.deposit') });
  await amount.fill('250');
  await checkSheet(page, 'limit');
  await button(page, 'btn.save').click();
  await expect(item(page, th('limit.day')).first()).toContainText('250.00');
  await item(page, th('limit.day')).first().click();
  await amount.fill('900');
  await button(page, 'btn.save').click();
  await expect(item(page, th('limit.day')).first()).toContainText('900.00');
  await page.goto('/user/home');
  await button(page, 'deposit.tile').click();
  await sheet
    .getByRole('button')
    .filter({ hasText: th('deposit.anyBankApp') })
    .click();
  // Of the quick amounts only what the limit leaves is offered.
  await expect(page.getByRole('button', { name: '100', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: '500', exact: true })).toHaveCount(0);
  await sheet.getByRole('textbox').fill('500');
  await sheet.locator('button[type=submit]').click();
  await expect(page.getByText(th('limit.left', { left: '100.00\u00a0บาท' }))).toBeVisible();
}

/** Starts a time-out by typing the word: deposits and games are closed until its end, withdrawals stay open. */
async function rest(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog');
  await item(page, th('limit.timeoutLead')).click();
  await sheet.getByLabel(th('limit.7d')).check();
  await expect(button(page, 'limit.start')).toBeDisabled();
  await sheet.getByRole('textbox').fill(th('limit.word'));
  await checkSheet(page, 'exclusion');
  await button(page, 'limit.start').click();
  await expect(page.getByText(th('limit.exclusionOpen'))).toBeVisible();
  await checkScreen(page, 'limits during a time-out');
  await page.goto('/user/home');
  await button(page, 'deposit.tile').click();
  await expect(sheet.getByText(/คุณงดฝากและงดเล่นจนถึง \d\d\/\d\d\/\d{4}/)).toBeVisible();
  await sheet.getByRole('button', { name: th('limit.page') }).click();
  await page.waitForURL('**/user/limits');
  await page.goto('/user/bonus');
  await expect(page.getByText(/คุณงดฝากและงดเล่นจนถึง \d\d\/\d\d\/\d{4}/)).toBeVisible();
  await checkScreen(page, 'bonuses during a time-out');
  await page.goto('/user/home');
  await button(page, 'withdraw.tile').click();
  await expect(page.getByText(th('withdraw.amount'), { exact: true })).toBeVisible();
}

test('a member sets limits, is reminded of the time, and takes a time-out that leaves withdrawals open', async ({
  browser,
}) => {
  const member = await newMember({ balance: 150 });
  const page = await visit(browser, {}, member);
  await page.goto('/user/profile');
  await item(page, th('limit.page')).click();
  await page.waitForURL('**/user/limits');
  await item(page, th('limit.reminder')).click();
  await page
    .getByRole('dialog')
    .getByLabel(th('limit.minutes', { count: '15' }))
    .check();
  await button(page, 'btn.save').click();
  await expect(item(page, th('limit.every', { count: '15' }))).toBeVisible();
  const now = Date.now();
  const playing = `${now - 16 * 60_000}-${now}-0`;
  await page.context().addCookies([{ name: 'playing', value: playing, url: member.env.url }]);
  await page.reload();
  const reminder = page.getByRole('alertdialog');
  await expect(reminder).toContainText(th('reminder.title', { count: '16' }));
  await checkScreen(page, 'reminder');
  await reminder.getByRole('button', { name: th('reminder.goOn') }).click();
  await limitDeposits(page);
  await page.goto('/user/limits');
  await rest(page);
});

/** Demands a PIN from the profile. */
async function demandPin(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog');
  await item(page, th('pin.title')).click();
  await sheet.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
  await sheet.getByLabel(th('pin.new')).fill('135790');
  await sheet.getByLabel(th('pin.again')).fill('135791');
  await button(page, 'btn.save').click();
  await expect(sheet.getByText(th('pin.mismatch'))).toBeVisible();
  await checkSheet(page, 'PIN to set');
  await sheet.getByLabel(th('pin.again')).fill('135790');
  await button(page, 'btn.save').click();
  await expect(item(page, th('pin.title'))).toContainText(th('pin.on'));
}

/** Withdraws all, which requires the PIN in between. */
async function withdrawWithPin(page: Page, amount: number): Promise<void> {
  const sheet = page.getByRole('dialog');
  await page.goto('/user/home');
  await button(page, 'withdraw.tile').click();
  await sheet.getByRole('textbox', { name: th('withdraw.amount') }).fill(String(amount));
  await sheet.locator('button[type=submit]').click();
  const pin = sheet.getByLabel(th('pin.enter')).and(page.locator('input'));
  await pin.pressSequentially('111111');
  await expect(sheet.getByText(th('pin.wrong'))).toBeVisible();
  await checkSheet(page, 'PIN required');
  await pin.pressSequentially('135790');
  await expect(page.getByText(th('withdraw.waiting'))).toBeVisible();
}

test('a member takes their data along, withdraws with their PIN, and closes their account once nothing is left in it', async ({
  browser,
}) => {
  const member = await newMember({ balance: 150 });
  const page = await visit(browser, {}, member);
  await page.goto('/user/profile');
  await item(page, th('data.title')).click();
  await checkSheet(page, 'own data');
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'data.download').click()]);
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect([data.profile.phone, data.statement.length, data.statement[0].amount]).toEqual([
    member.phone,
    1,
    150,
  ]);
  const sheet = page.getByRole('dialog');
  const fill = async () => {
    await sheet
      .getByRole('button')
      .filter({ hasText: th('close.title') })
      .click();
    await sheet.getByLabel(th('limit.typeWord', { word: th('close.word') })).fill(th('close.word'));
    await sheet.getByLabel(th('auth.password'), { exact: true }).fill(PASSWORD);
    await button(page, 'close.now').click();
  };
  await fill();
  await expect(sheet.getByText(th('close.wallet'))).toBeVisible();
  await checkSheet(page, 'account with money');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await demandPin(page);
  await withdrawWithPin(page, 150);
  await expect(async () => {
    const { wallet } = await call('GET /api/wallet', undefined, member.token, member.env);
    const { statements } = await call(
      'POST /api/statement',
      { page: 1, limit: 10 },
      member.token,
      member.env,
    );
    expect([wallet.amount, statements[0].status]).toEqual([0, 'SUCCESS']);
  }).toPass();
  await page.goto('/user/profile');
  await item(page, th('data.title')).click();
  await fill();
  await page.waitForURL('**/terminated');
  await expect(page.getByText(th('deadEnd.terminated'))).toBeVisible();
  await expect(
    call('POST /api/login', { username: member.phone, password: PASSWORD }, null, member.env),
  ).rejects.toThrow('gone');
});
