import { type Browser, expect, type Page } from '@playwright/test';
import { deskText, lookAtDesk, openDesk } from '../desk.ts';
import { lookAt, lookAtSheet } from '../member.ts';
import { type Member, newMember, visit } from '../newcomer.ts';
import { handIn, makeSlip } from '../slips.ts';
import { test } from '../test.ts';
import type { TestEnv } from '../test-env.ts';
import { type Language, textOf } from '../texts.ts';
import { admin, call, control, startOwnEnv } from '../world.ts';

const current = (page: Page) => page.locator('tr[aria-current=true]');

/** Walks the queue with `j` until the row that names this is under the keyboard. */
async function walkTo(page: Page, text: string): Promise<void> {
  do await page.keyboard.press('j');
  while (!(await current(page).textContent())?.includes(text));
}

/** Asks for an account at SCB in the member's own words; answers its number. */
async function askForAccount(page: Page, language: Language): Promise<string> {
  const t = (id: string) => textOf(language, id);
  const accountNo = `66${String(Date.now()).slice(-8)}`;
  await page.goto('/user/profile');
  await page.getByRole('button', { name: t('profile.changeAccount') }).click();
  await lookAtSheet(page, 'account sheet');
  const sheet = page.locator('dialog[open]').last();
  await sheet.getByLabel(t('bank.bank'), { exact: true }).selectOption('SCB');
  await sheet.getByLabel(t('bank.accountNo')).fill(accountNo);
  await sheet.getByLabel(t('bank.firstName')).fill('SOM');
  await sheet.getByLabel(t('bank.lastName')).fill('CHAI');
  await sheet.getByRole('button', { name: t('profile.askAccount') }).click();
  return accountNo;
}

async function changeAccount(browser: Browser, language: Language) {
  const member = await newMember({ balance: 1_000 });
  const phone = await visit(browser, { language }, member);
  const accountNo = await askForAccount(phone, language);
  const account = `SCB ••${accountNo.slice(-4)}`;
  await expect(phone.getByText(textOf(language, 'profile.accountPending', { account }))).toBeVisible();
  await lookAt(phone, 'profile pending');
  return { phone, account, accountNo };
}

test('a new bank account is asked for on the phone, compared and approved by keyboard, and rests a day', async ({
  browser,
}) => {
  const { phone, account, accountNo } = await changeAccount(browser, 'th');
  const { page: desk } = await openDesk(browser, 'finance-lead');
  await desk.keyboard.press('g');
  await desk.keyboard.press('a');
  await expect(desk.getByText(account)).toBeVisible();
  await walkTo(desk, account);
  await desk.keyboard.press('a');
  const dialog = desk.getByRole('dialog');
  await expect(dialog).toContainText(account);
  await dialog.getByRole('button', { name: deskText('approval.reveal') }).click();
  await expect(dialog).toContainText(accountNo);
  await lookAtDesk(desk, 'account change');
  await dialog.getByRole('button', { name: deskText('approval.approve') }).press('Enter');
  await expect(desk.getByText(deskText('approval.approved'), { exact: true }).first()).toBeVisible();

  await phone.reload();
  await expect(phone.getByText('SOM CHAI')).toBeVisible();
  await expect(phone.getByText(textOf('th', 'profile.payoutsFrom', { time: '' }).trim())).toBeVisible();
  await lookAt(phone, 'profile rests');
});

/** The wallet's figure, asked without a screen. */
const walletOf = async (member: Member): Promise<number> =>
  (await call('GET /api/wallet', undefined, member.token, member.env)).wallet.amount;

/** Hands in a slip whose sender the bank hides too much of, so that an operator has to look. */
async function doubtedSlip(member: Member): Promise<string> {
  const slip = await makeSlip(member, { amount: '250.00' });
  // The checker may be asked again: it hides as much then.
  const fault = { party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 9 };
  await control('faults', fault, member.env);
  const { id } = await handIn(member, slip);
  const statusOf = async () => {
    const list = await call('POST /api/statement/slip', { page: 1, limit: 10 }, member.token, member.env);
    return list.slips[0].status;
  };
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('REVIEW');
  return id;
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
    const { page: desk } = await openDesk(browser, 'finance', env);
    await decideSlip(desk, await newMember({ env }));
    await creditReport(desk, await newMember({ env }));
    await desk.context().close();
  });

  test('a name that the bank does not take is asked for, saved, and asked for no more; home follows the wheel’s switch', async ({
    browser,
  }) => {
    const person = { phone: '0815550143', accountNo: '2345678901' };
    const login = { username: person.phone, password: 'krapao-demo' };
    const { token } = await call('POST /api/login', login, null, env);
    const phone = await visit(browser, { language: 'th', theme: 'dark' }, { ...person, token, env });
    await phone.goto(`${env.url}/user/home`);
    const sheet = phone.getByRole('dialog', { name: textOf('th', 'profile.nameAccount') });
    await expect(sheet).toBeVisible();
    await lookAtSheet(phone, 'account name');
    await sheet.getByLabel(textOf('th', 'bank.accountName')).fill('สมชาย');
    await sheet.getByRole('button', { name: textOf('th', 'btn.save') }).click();
    await expect(sheet).toContainText(textOf('th', 'valid.bankNameEnglish'));
    await sheet.getByLabel(textOf('th', 'bank.accountName')).fill('som  chai');
    await expect(sheet.getByLabel(textOf('th', 'bank.accountName'))).toHaveValue('SOM  CHAI');
    await sheet.getByRole('button', { name: textOf('th', 'btn.save') }).click();
    await expect(sheet).toHaveCount(0);
    await phone.goto(`${env.url}/user/profile`);
    await expect(phone.getByText('SOM CHAI')).toBeVisible();
    // The line is opened only after the change: what changed since the page asked is told then.
    let openLine = () => {};
    const changed = new Promise<void>((resolve) => (openLine = resolve));
    await phone.route('**/socket.io/**', async (route) => {
      await changed;
      await route.continue();
    });
    await phone.goto(`${env.url}/user/home`);
    const main = phone.getByRole('main');
    const tile = (id: string) => main.getByRole('button', { name: textOf('th', id), exact: true });
    await expect(tile('wheel.spin')).toBeVisible();
    await admin(['setting', 'set', 'wheel.active', 'false'], env);
    openLine();
    await expect(tile('wheel.spin')).toHaveCount(0);
    await expect(tile('btn.refresh')).toBeVisible();
    await phone.context().close();
  });
});

async function decideSlip(desk: Page, member: Member): Promise<void> {
  const id = await doubtedSlip(member);
  await desk.goto(`/slips?q=${id}`);
  await expect(desk.getByText('250.00').first()).toBeVisible();
  await desk.keyboard.press('j');
  await desk.keyboard.press('Enter');
  const panel = desk.getByRole('complementary');
  await expect(panel.getByRole('img')).toBeVisible();
  await lookAtDesk(desk, 'slip');
  await panel.getByRole('button', { name: deskText('slips.zoom') }).click();
  await expect(desk.getByRole('dialog').locator('img')).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await desk.keyboard.press('a');
  await desk.getByLabel(deskText('field.reason')).fill('ตรงกับรายการธนาคาร');
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByText(deskText('slips.accepted')).first()).toBeVisible();
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  expect(await walletOf(member)).toBe(250);
}

async function creditReport(desk: Page, member: Member): Promise<void> {
  const { id } = await call('POST /api/wallet/add', { amount: 120 }, member.token, member.env);
  await desk.keyboard.press('g');
  await desk.keyboard.press('r');
  await expect(desk.getByRole('heading', { level: 1, name: deskText('nav.reports') })).toBeVisible();
  await desk.goto(`/reports?q=${id}`);
  await expect(desk.getByText('120.00').first()).toBeVisible();
  await desk.keyboard.press('j');
  await lookAtDesk(desk, 'reports');
  await desk.keyboard.press('a');
  await desk.getByLabel(deskText('field.reason')).fill('เห็นยอดในธนาคาร');
  await lookAtDesk(desk, 'report credit');
  await desk.keyboard.press('Control+Enter');
  const done = deskText('reports.done', { state: deskText('state.SUCCESS') });
  await expect(desk.getByText(done)).toBeVisible();
  expect(await walletOf(member)).toBe(120);
  await desk.goto('/reports?list=doubts');
  await expect(desk.getByText(deskText('table.empty'))).toBeVisible();
  await lookAtDesk(desk, 'doubts');
}
