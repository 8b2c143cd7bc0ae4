import { type Browser, expect, type Page } from '@playwright/test';
import { checkConsole, consoleText, goByKeys, openConsole } from '../console.ts';
import { admin, call, control, startOwnEnv } from '../env-calls.ts';
import { checkScreen, checkScreenInAll, checkSheet, checkSheetInAll } from '../member.ts';
import { type Member, newMember, visit } from '../new-member.ts';
import { makeSlip, submitSlip } from '../slips.ts';
import { test } from '../test.ts';
import type { TestEnv } from '../test-env.ts';
import { type Language, textOf } from '../texts.ts';

const current = (page: Page) => page.locator('tr[aria-current=true]');

/** Walks the queue with `j` until the row that names this is under the keyboard. */
async function walkTo(page: Page, text: string): Promise<void> {
  do await page.keyboard.press('j');
  while (!(await current(page).textContent())?.includes(text));
}

/** Requests an SCB account through the member app; returns its number. */
async function requestAccountChange(page: Page, language: Language): Promise<string> {
  const t = (id: string) => textOf(language, id);
  const accountNo = `66${String(Date.now()).slice(-8)}`;
  await page.goto('/user/profile');
  await page.getByRole('button', { name: t('profile.changeAccount') }).click();
  await checkSheet(page, 'account sheet');
  const sheet = page.locator('dialog[open]').last();
  await sheet.getByLabel(t('bank.bank'), { exact: true }).selectOption('SCB');
  await sheet.getByLabel(t('bank.accountNo')).fill(accountNo);
  await sheet.getByLabel(t('bank.firstName')).fill('SOM');
  await sheet.getByLabel(t('bank.lastName')).fill('CHAI');
  await sheet.getByRole('button', { name: t('profile.requestAccount') }).click();
  return accountNo;
}

async function changeAccount(browser: Browser, language: Language) {
  const member = await newMember({ balance: 1_000 });
  const phone = await visit(browser, { language }, member);
  const accountNo = await requestAccountChange(phone, language);
  const account = `SCB ••${accountNo.slice(-4)}`;
  await expect(phone.getByText(textOf(language, 'profile.accountPending', { account }))).toBeVisible();
  await checkScreen(phone, 'profile pending');
  return { phone, account, accountNo };
}

test('a new bank account is requested on the phone, compared and approved by keyboard, and has a cooling-off of a day', async ({
  browser,
}) => {
  const { phone, account, accountNo } = await changeAccount(browser, 'th');
  const { page: consolePage } = await openConsole(browser, 'finance-lead');
  await goByKeys(consolePage, 'a');
  await expect(consolePage.getByText(account)).toBeVisible();
  await walkTo(consolePage, account);
  await consolePage.keyboard.press('a');
  const dialog = consolePage.getByRole('dialog');
  await expect(dialog).toContainText(account);
  await dialog.getByRole('button', { name: consoleText('approval.reveal') }).click();
  await expect(dialog).toContainText(accountNo);
  await checkConsole(consolePage, 'account change');
  await dialog.getByRole('button', { name: consoleText('approval.approve') }).press('Enter');
  await expect(
    consolePage.getByText(consoleText('approval.approved'), { exact: true }).first(),
  ).toBeVisible();

  await phone.reload();
  await expect(phone.getByText('SOM CHAI')).toBeVisible();
  await expect(phone.getByText(textOf('th', 'profile.payoutsFrom', { time: '' }).trim())).toBeVisible();
  await checkScreen(phone, 'profile in cooling-off');
});

/** The wallet's figure, read without a screen. */
const walletOf = async (member: Member): Promise<number> =>
  (await call('GET /api/wallet', undefined, member.token, member.env)).wallet.amount;

/** Hands in a slip whose sender the bank hides too much of, so that an operator has to look. */
async function doubtedSlip(member: Member): Promise<string> {
  const slip = await makeSlip(member, { amount: '250.00' });
  // The checker may be queried again: it hides as much then.
  const fault = { party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 9 };
  await control('faults', fault, member.env);
  const { id } = await submitSlip(member, slip);
  const statusOf = async () => {
    const list = await call('POST /api/statement/slip', { page: 1, limit: 10 }, member.token, member.env);
    return list.slips[0].status;
  };
  await expect.poll(statusOf).toBe('REVIEW');
  return id;
}

/** Gives a member a coupon of a bonus, as marketing does. */
async function giveCoupon(browser: Browser, { phone }: Pick<Member, 'phone'>, env: TestEnv): Promise<void> {
  const { page } = await openConsole(browser, 'marketing', env);
  const terms = {
    successPercent: 200,
    failPercent: 10,
    turnoverTimes: 0,
    games: { betflix: 100 },
    withdrawMost: 300,
    days: 3,
  };
  const name = { th: 'ของขวัญ 50', la: 'ຂອງຂວັນ 50', en: 'Present 50' };
  const prize = { kind: 'BONUS', name, value: 50, terms, couponDays: 7 };
  const reply = await page.request.post('/api/operator/coupons', {
    headers: { 'x-requested-with': 'console-operator', origin: env.consoleUrl },
    data: {
      prize: { currency: 'BAHT', prize },
      members: [phone],
      check: false,
      key: `coupon-${phone}`,
      reason: 'ขอบคุณ',
    },
  });
  expect(reply.ok(), await reply.text()).toBe(true);
  await page.context().close();
}

test.describe('in an environment with settings of its own', () => {
  // One after the other, in one test environment.
  test.describe.configure({ mode: 'default' });
  let env: TestEnv;
  test.beforeAll(async () => {
    env = await startOwnEnv();
  });
  test.afterAll(() => env.stop());

  test('a slip that waits is compared, enlarged and credited with the keyboard; a reported payment likewise', async ({
    browser,
  }) => {
    await admin(['setting', 'set', 'deposit.manual', 'true'], env);
    const { page: consolePage } = await openConsole(browser, 'finance', env);
    await decideSlip(consolePage, await newMember({ env }));
    await creditReport(consolePage, await newMember({ env }));
    await consolePage.context().close();
  });

  test('a name that the bank rejects is requested, saved, and not requested again; home follows the wheel’s switch', async ({
    browser,
  }) => {
    const person = { phone: '0815550143', accountNo: '2345678901' };
    const login = { username: person.phone, password: 'krapao-demo' };
    const { token } = await call('POST /api/login', login, null, env);
    const phone = await visit(browser, { language: 'th', theme: 'dark' }, { ...person, token, env });
    await phone.goto(`${env.url}/user/home`);
    const sheet = phone.getByRole('dialog', { name: textOf('th', 'profile.nameAccount') });
    await expect(sheet).toBeVisible();
    await checkSheet(phone, 'account name');
    await sheet.getByLabel(textOf('th', 'bank.accountName')).fill('สมชาย');
    await sheet.getByRole('button', { name: textOf('th', 'btn.save') }).click();
    await expect(sheet).toContainText(textOf('th', 'valid.bankNameEnglish'));
    await sheet.getByLabel(textOf('th', 'bank.accountName')).fill('som  chai');
    await expect(sheet.getByLabel(textOf('th', 'bank.accountName'))).toHaveValue('SOM  CHAI');
    await sheet.getByRole('button', { name: textOf('th', 'btn.save') }).click();
    await expect(sheet).toHaveCount(0);
    await phone.goto(`${env.url}/user/profile`);
    await expect(phone.getByText('SOM CHAI')).toBeVisible();
    // The connection opens only after the change: changes since the page's read are reported then.
    let openConnection = () => {};
    const changed = new Promise<void>((resolve) => (openConnection = resolve));
    await phone.route('**/socket.io/**', async (route) => {
      await changed;
      await route.continue();
    });
    await phone.goto(`${env.url}/user/home`);
    const main = phone.getByRole('main');
    const tile = (id: string) => main.getByRole('button', { name: textOf('th', id), exact: true });
    await expect(tile('wheel.spin')).toBeVisible();
    await admin(['setting', 'set', 'wheel.active', 'false'], env);
    openConnection();
    await expect(tile('wheel.spin')).toHaveCount(0);
    await expect(tile('btn.refresh')).toBeVisible();
    await giveCoupon(browser, person, env);
    await phone.reload();
    await expect(tile('coupon.mine')).toBeVisible();
    await checkScreenInAll(phone, 'home with a coupon');
    await phone.goto(`${env.url}/user/bonus`);
    await main.getByRole('button', { name: textOf('th', 'coupon.mine') }).click();
    const coupons = phone.getByRole('dialog', { name: textOf('th', 'coupon.mine') });
    await expect(coupons).toContainText('ของขวัญ 50');
    await checkSheetInAll(phone, 'coupons while no wheel turns');
    await coupons.getByRole('button', { name: `${textOf('th', 'coupon.redeem')} ของขวัญ 50` }).click();
    await expect(phone.getByRole('alertdialog')).toContainText('300.00');
    await checkSheetInAll(phone, 'terms of a coupon');
    await phone
      .getByRole('alertdialog')
      .getByRole('button', { name: textOf('th', 'coupon.redeem') })
      .click();
    await expect(
      phone.getByText(textOf('th', 'coupon.redeemed', { prize: 'ของขวัญ 50' }).trim()),
    ).toBeVisible();
    await phone.context().close();
  });
});

async function decideSlip(consolePage: Page, member: Member): Promise<void> {
  const id = await doubtedSlip(member);
  await consolePage.goto(`/slips?q=${id}`);
  await expect(consolePage.getByText('250.00').first()).toBeVisible();
  await consolePage.keyboard.press('j');
  await consolePage.keyboard.press('Enter');
  const panel = consolePage.getByRole('complementary');
  await expect(panel.getByRole('img')).toBeVisible();
  await checkConsole(consolePage, 'slip');
  await panel.getByRole('button', { name: consoleText('slips.zoom') }).click();
  await expect(consolePage.getByRole('dialog').locator('img')).toBeVisible();
  await consolePage.keyboard.press('Escape');
  await expect(consolePage.getByRole('dialog')).toHaveCount(0);
  await consolePage.keyboard.press('a');
  await consolePage.getByLabel(consoleText('field.reason')).fill('ตรงกับรายการธนาคาร');
  await consolePage.keyboard.press('Control+Enter');
  await expect(consolePage.getByText(consoleText('slips.accepted')).first()).toBeVisible();
  await expect(consolePage.getByRole('dialog')).toHaveCount(0);
  expect(await walletOf(member)).toBe(250);
}

async function creditReport(consolePage: Page, member: Member): Promise<void> {
  const { id } = await call('POST /api/wallet/add', { amount: 120 }, member.token, member.env);
  await goByKeys(consolePage, 'r');
  await expect(
    consolePage.getByRole('heading', { level: 1, name: consoleText('nav.reports') }),
  ).toBeVisible();
  await consolePage.goto(`/reports?q=${id}`);
  await expect(consolePage.getByText('120.00').first()).toBeVisible();
  await consolePage.keyboard.press('j');
  await checkConsole(consolePage, 'reports');
  await consolePage.keyboard.press('a');
  await consolePage.getByLabel(consoleText('field.reason')).fill('เห็นยอดในธนาคาร');
  await checkConsole(consolePage, 'report credit');
  await consolePage.keyboard.press('Control+Enter');
  const done = consoleText('reports.done', { state: consoleText('state.SUCCESS') });
  await expect(consolePage.getByText(done)).toBeVisible();
  expect(await walletOf(member)).toBe(120);
  await consolePage.goto('/reports?list=doubts');
  await expect(consolePage.getByText(consoleText('table.empty'))).toBeVisible();
  await checkConsole(consolePage, 'doubts');
}
