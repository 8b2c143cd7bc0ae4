import { expect, type Page } from '@playwright/test';
import { admin, control, startOwnEnv } from '../env-calls.ts';
import { checkScreen, checkSheet, checkSheetInAll, inAll } from '../member.ts';
import { type Member, newMember, visit } from '../new-member.ts';
import { makeSlip, type Slip, submitSlip } from '../slips.ts';
import { test } from '../test.ts';
import type { TestEnv } from '../test-env.ts';
import { type Language, textOf } from '../texts.ts';

type Say = (id: string, values?: Record<string, string>) => string;
const sayer =
  (language: Language): Say =>
  (id, values) =>
    textOf(language, id, values);

const sheet = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true }).click();

async function openChooser(page: Page, say: Say): Promise<void> {
  await page.goto('/user/home');
  await page.getByRole('button', { name: say('deposit.tile'), exact: true }).click();
  await expect(sheet(page).getByText(say('deposit.oneMinute'))).toBeVisible();
}

async function openSlipForm(page: Page, say: Say): Promise<void> {
  await openChooser(page, say);
  await sheet(page)
    .getByRole('button')
    .filter({ hasText: say('slip.afterTransfer') })
    .click();
  await expect(sheet(page).getByText(say('slip.choose'))).toBeVisible();
}

/** Says that 500 have been transferred to the first account. */
async function report(page: Page, say: Say): Promise<void> {
  await openChooser(page, say);
  await openAccount(page, say);
  await press(page, say('deposit.iPaid'));
  await sheet(page).getByRole('textbox').fill('500');
  await checkSheet(page, 'report');
  await sheet(page).locator('button[type=submit]').click();
}

const openAccount = (page: Page, say: Say) =>
  sheet(page)
    .getByRole('button')
    .filter({ hasText: say('deposit.accountNo', { number: '' }).trim() })
    .first()
    .click();

const choose = (page: Page, picture: Slip['picture']) =>
  sheet(page).locator('input[type=file]').setInputFiles(picture);

test('a transfer whose slip is handed in is credited', async ({ browser }) => {
  const say = sayer('la');
  const member = await newMember();
  const page = await visit(browser, { language: 'la' }, member);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openChooser(page, say);
  await checkSheetInAll(page, 'chooser');
  await openAccount(page, say);
  for (const note of ['deposit.autoHow', 'deposit.oneMinute'])
    await expect(sheet(page)).toContainText(say(note));
  await sheet(page)
    .getByRole('button', { name: `${say('btn.copy')} ${say('bank.accountNo')}` })
    .click();
  const number = await page.evaluate(() => navigator.clipboard.readText());
  expect(number).toMatch(/^\d{10,13}$/);
  await expect(page.getByText(`${say('btn.copied')} ${number}`)).toBeVisible();
  await checkSheetInAll(page, 'account');
  await press(page, say('deposit.slip'));
  await expect(sheet(page)).toContainText(say('slip.oneHour'));
  await expect(sheet(page).getByRole('button', { name: say('slip.send') })).toBeDisabled();
  await choose(page, { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(sheet(page).getByRole('alert')).toContainText(say('error.SLIP_INVALID_FILE', { limit: '10' }));
  await checkSheetInAll(page, 'slip form');
  await choose(page, (await makeSlip(member, { amount: '250.75' })).picture);
  await expect(sheet(page).getByText('slip-20261121-1432')).toBeVisible();
  await checkSheetInAll(page, 'slip chosen');
  await press(page, say('slip.send'));
  await expect(sheet(page)).toContainText(say('receipt.title'));
  await expect(sheet(page)).toContainText(say('deposit.done'));
  await expect(sheet(page)).toContainText('+฿250.75');
  await checkSheetInAll(page, 'slip credited');
  await press(page, say('btn.close'));
  await expect(page.getByLabel(say('money.total'))).toContainText('250.75');
  await page.context().close();
});

test('every reason a slip is refused for reads well in every language', async ({ browser }) => {
  const say = sayer('en');
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.goto('/user/statement');
  await page.getByRole('button', { name: say('slip.status') }).click();
  await expect(sheet(page)).toContainText(say('slip.empty'));
  await checkSheetInAll(page, 'no slips');
  for (const { kind, code } of REFUSED) {
    const slip = await makeSlip(member, kind ? { kind } : {});
    if (code) await refuse(slip, code);
    expect([kind, code, (await submitSlip(member, slip)).status]).toEqual([kind, code, 'FAILED']);
  }
  await page.reload();
  const rows = sheet(page).locator('tbody');
  await expect(rows).toHaveCount(10);
  const notes = REFUSED.map(({ note }) => note).toReversed();
  const text = (language: Language, note: string) => textOf(language, `error.${note}`, { minutes: '60' });
  await inAll(page, async (language) => {
    for (const [index, note] of notes.slice(0, 10).entries())
      await expect(rows.nth(index)).toContainText(text(language, note));
  });
  await checkSheetInAll(page, 'reasons');
  await sheet(page)
    .getByRole('button', { name: say('pager.page', { page: '2' }) })
    .click();
  await expect(rows).toHaveCount(REFUSED.length - 10);
  await inAll(page, async (language) => expect(rows.first()).toContainText(text(language, notes[10]!)));
  await page.context().close();
});

/** What makes each reason: a kind of slip, or a number of the checker. */
const REFUSED: { kind?: string; code?: number; note: string }[] = [
  { code: 1000, note: 'FILE_NOT_EXIST' },
  { kind: 'blurred', note: 'IMAGE_UNPROCESSABLE' },
  { kind: 'cropped', note: 'CROPPED_IMAGE_UNREADABLE' },
  { kind: 'wrong-receiver', note: 'INVALID_DESTINATION_ACCOUNT' },
  { code: 1012, note: 'DUPLICATE_REFERENCE' },
  { kind: 'broken-qr', note: 'UNSTABLE_REFERENCE' },
  { code: 1099, note: 'CAPTCHA_WRONG_3_TIMES' },
  { kind: 'not-a-slip', note: 'INVALID_SLIP' },
  { kind: 'other-sender', note: 'ACCOUNT_NOT_MATCH' },
  { kind: 'old', note: 'SLIP_EXPIRED' },
  { code: 4242, note: 'UNKNOWN_ERROR' },
];

const refuse = (slip: Slip, code: number) =>
  control('faults', {
    party: 'slip',
    call: 'check',
    kind: 'refuse',
    code,
    reference: slip.transRef,
    count: 1,
  });

test('a refused slip says why, its picture opens for its owner only, and another can be chosen', async ({
  browser,
}) => {
  const say = sayer('th');
  const member = await newMember();
  const page = await visit(browser, { language: 'th' }, member);
  await openSlipForm(page, say);
  const slip = await makeSlip(member, { kind: 'wrong-receiver' });
  await choose(page, slip.picture);
  await press(page, say('slip.send'));
  await expect(sheet(page)).toContainText(say('error.INVALID_DESTINATION_ACCOUNT'));
  await checkSheet(page, 'slip refused');
  await press(page, say('slip.again'));
  await expect(sheet(page).getByText(say('slip.choose'))).toBeVisible();
  await page.goto('/user/statement');
  await page.getByRole('button', { name: say('slip.status') }).click();
  const [picture] = await Promise.all([
    page.waitForEvent('popup'),
    sheet(page)
      .getByRole('link', { name: say('slip.view') })
      .click(),
  ]);
  const shown = await page.request.get(picture.url());
  expect([shown.status(), shown.headers()['content-type']]).toEqual([200, 'image/jpeg']);
  const forged = picture.url().replace(/(?<=sign=)./, (first) => (first === 'A' ? 'B' : 'A'));
  expect((await page.request.get(forged)).status()).toBe(404);
});

test('a slip that is not sure waits in words, and turns by itself when an operator has decided', async ({
  browser,
}) => {
  const say = sayer('th');
  const member = await newMember();
  const page = await visit(browser, { language: 'th' }, member);
  await openSlipForm(page, say);
  const id = await sendUnsure(page, say, member);
  await checkSheet(page, 'slip waits');
  await admin(['slip', 'accept', id, 'the bank said so by telephone']);
  await expect(sheet(page)).toContainText('+฿108.25');
  await press(page, say('btn.close'));
  await expect(page.getByLabel(say('money.total'))).toContainText('108.25');
  await openSlipForm(page, say);
  const other = await sendUnsure(page, say, member);
  await press(page, say('slip.status'));
  const first = sheet(page).locator('tbody').first();
  await expect(first).toContainText(say('status.review'));
  await expect(first).toContainText('108.25');
  await checkSheet(page, 'slip in review');
  await admin(['slip', 'refuse', other, 'ACCOUNT_NOT_MATCH', 'another name on the account']);
  await expect(first).toContainText(say('error.ACCOUNT_NOT_MATCH'));
});

/** Hands in a slip whose sender the bank hides; returns its id. */
async function sendUnsure(page: Page, say: Say, member: Member): Promise<string> {
  // An amount of its own: without digits of the sender, the bank's statement lines are distinguished by amount and time.
  const slip = await makeSlip(member, { amount: '108.25' });
  const { transRef: reference } = slip;
  await control('faults', { party: 'slip', call: 'check', kind: 'masked-digits', reference, count: 1 });
  await choose(page, slip.picture);
  const [reply] = await Promise.all([
    page.waitForResponse('**/api/wallet/slip'),
    press(page, say('slip.send')),
  ]);
  await expect(sheet(page)).toContainText(say('slip.checking'));
  return ((await reply.json()) as { id: string }).id;
}

/** Runs in the page: notes how long each upload may take. */
function keepTimeouts(): void {
  const timeouts: number[] = [];
  Object.assign(window, { timeouts });
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (body) {
    if (body instanceof FormData) timeouts.push(this.timeout);
    send.call(this, body);
  };
}

test('a slow upload shows how far it is, can be stopped, and is sent again as the same slip', async ({
  browser,
}) => {
  const say = sayer('en');
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.addInitScript(keepTimeouts);
  await openSlipForm(page, say);
  await choose(page, (await makeSlip(member, { amount: '75.00' })).picture);
  const line = await page.context().newCDPSession(page);
  const slow = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await slow(8_000);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/wallet/slip')) keys.push(request.headers()['idempotency-key']);
  });
  await press(page, say('slip.send'));
  await expect(sheet(page).getByRole('progressbar')).toBeVisible();
  await expect(sheet(page)).toContainText(say('slip.sending'));
  await checkSheet(page, 'slip on its way');
  await press(page, say('slip.stop'));
  await slow(-1);
  await press(page, say('slip.send'));
  await expect(sheet(page)).toContainText('+฿75.00');
  // A picture over a slow line is given five minutes.
  const given = () => page.evaluate(() => (window as unknown as { timeouts: number[] }).timeouts);
  expect(await given()).toEqual([300_000, 300_000]);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test.describe('in an environment without namesakes whose masked numbers look alike', () => {
  // One after the other, in one test environment.
  test.describe.configure({ mode: 'default' });
  let env: TestEnv;
  test.beforeAll(async () => {
    env = await startOwnEnv();
  });
  test.afterAll(() => env.stop());

  test('a transfer to a shown account arrives by itself within a minute', async ({ browser }) => {
    const say = sayer('th');
    const member = await newMember({ env });
    const page = await visit(browser, { language: 'th' }, member);
    await openChooser(page, say);
    await openAccount(page, say);
    await expect(sheet(page)).toContainText('222-333-4445');
    // An account is watched from its first reading on.
    const log = 'log?party=bank-b&reference=2223334445&limit=1';
    await expect.poll(async () => (await control(log, undefined, env)).entries.length).toBe(1);
    const account = { toBank: 'SCB', toAccount: '2223334445' };
    await control('transfer', { phone: member.phone, ...account, amount: '321.00' }, env);
    await press(page, say('btn.close'));
    await expect(page.getByLabel(say('money.total'))).toContainText('321.00');
    await page.context().close();
  });

  test('closed hours are shown instead of a form, and a transfer can be reported where staff look for it', async ({
    browser,
  }) => {
    const say = sayer('th');
    const member = await newMember({ env });
    await admin(['setting', 'set', 'deposit.manual', 'true'], env);
    const page = await visit(browser, { language: 'th' }, member);
    // With a live event the form would change before it is sent.
    await page.route('**/socket.io/**', (route) => route.abort());
    await openSlipForm(page, say);
    await choose(page, (await makeSlip(member)).picture);
    const always = [{ from: '00:00', to: '23:59' }];
    await admin(['setting', 'set', 'slip.closedHours', JSON.stringify(always)], env);
    await press(page, say('slip.send'));
    await expect(sheet(page)).toContainText(say('slip.closed', { from: '00:00', to: '23:59' }));
    await expect(sheet(page)).toContainText(say('slip.closedNow'));
    await checkSheet(page, 'slips closed');
    await press(page, say('btn.close'));
    await report(page, say);
    await expect(page.getByRole('alertdialog')).toContainText(say('report.sent'));
    await checkSheet(page, 'reported');
    await page.getByRole('button', { name: say('btn.ok'), exact: true }).click();
    await expect(page.getByLabel(say('money.total'))).toContainText('0.00');
    await openChooser(page, say);
    await openAccount(page, say);
    await press(page, say('deposit.iPaid'));
    await expect(sheet(page)).toContainText(say('report.oneOpen'));
    await expect(sheet(page).getByRole('textbox')).toHaveCount(0);
    await checkSheet(page, 'one report at a time');
    await press(page, say('statement.title'));
    await expect(page.getByRole('main')).toContainText(say('status.pending'));
    await checkScreen(page, 'report in the statement');
    await page.context().close();
  });
});
