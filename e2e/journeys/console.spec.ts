import { expect, type Page } from '@playwright/test';
import {
  checkConsole as checkScreen,
  DESKTOP,
  goByKeys,
  openConsole,
  signInToConsole,
  consoleText as t,
} from '../console.ts';
import { admin, call, control, inOwnEnv, sharedEnv } from '../env-calls.ts';
import { type Member, newMember, visit } from '../new-member.ts';
import { codeOf } from '../operator.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const TABLET = { width: 834, height: 1112 };

async function withdraw(member: Member, amount: number): Promise<string> {
  const { id } = await call('POST /api/wallet/withdraw', { amount }, member.token, member.env);
  return id;
}
const current = (page: Page) => page.locator('tr[aria-current=true]');

test('a large withdrawal is approved by two with the keyboard alone, and the member sees it paid', async ({
  browser,
}) => {
  const member = await newMember({ balance: 30_000 });
  const id = await withdraw(member, 24_000);

  const maker = await signInToConsole(browser, 'finance');
  await checkScreen(maker, 'today');
  await goByKeys(maker, 'w');
  await expect(maker.getByRole('heading', { level: 1, name: t('nav.withdrawals') })).toBeVisible();
  await expect(maker.getByRole('row')).not.toHaveCount(1);
  let response = () => {};
  const held = new Promise<void>((resume) => {
    response = resume;
  });
  await maker.route(
    (url) => url.searchParams.get('q') === id,
    async (route) => {
      await held;
      await route.continue();
    },
  );
  await maker.keyboard.press('/');
  await maker.keyboard.type(id);
  await maker.keyboard.press('Escape');
  // A list that is being reloaded has no row to act on, and does not show that it is empty.
  await expect(maker.getByRole('row')).toHaveCount(1);
  await expect(maker.getByText(t('table.empty'))).toHaveCount(0);
  response();
  await expect(maker.getByRole('row')).toHaveCount(2);
  await maker.keyboard.press('j');
  await expect(current(maker)).toContainText('24,000.00');
  await maker.keyboard.press('Enter');
  const panel = maker.getByRole('complementary');
  await expect(panel).toContainText(t('withdrawals.needsTwo'));
  await expect(panel).toContainText(t('reason.AMOUNT', { limit: '฿2,000.00' }));
  await expect(panel).toContainText(t('risk.none'));
  await checkScreen(maker, 'withdrawals');
  await maker.keyboard.press('a');
  await expect(maker.getByRole('dialog')).toContainText('24,000.00');
  await maker.keyboard.press('Enter');
  await expect(maker.getByText(t('approval.requested'))).toBeVisible();
  await expect(current(maker)).toContainText(t('state.APPROVAL'));

  const checker = await signInToConsole(browser, 'finance-lead');
  await goByKeys(checker, 'a');
  await expect(checker.getByText(id, { exact: true })).toBeVisible();
  await checkScreen(checker, 'approvals');
  const yes = await checker
    .getByRole('row')
    .filter({ hasText: id })
    .getByRole('button', { name: t('approval.approve'), exact: true })
    .elementHandle();
  do await checker.keyboard.press('j');
  while (!(await current(checker).textContent())?.includes(id));
  // A row that changes keeps its buttons: a press under way would be lost with the one it began on.
  expect(await yes!.evaluate((button) => button.isConnected)).toBe(true);
  // Who decides second reads what the first one read.
  await checker.keyboard.press('Enter');
  const beside = checker.getByRole('complementary');
  await expect(beside.getByRole('link', { name: id })).toBeVisible();
  await expect(beside).toContainText(t('reason.AMOUNT', { limit: '฿2,000.00' }));
  await checkScreen(checker, 'approval open');
  await beside.getByLabel(t('approval.newComment')).fill('โทรยืนยันแล้ว');
  await checker.keyboard.press('Control+Enter');
  await expect(beside).toContainText(/โทรยืนยันแล้ว.*finance-lead-/);
  await beside.getByLabel(t('approval.newComment')).blur();
  await checker.keyboard.press('a');
  await expect(checker.getByRole('dialog')).toContainText('24,000.00');
  await checker.keyboard.press('Enter');
  await expect(checker.getByRole('status')).toContainText(t('withdrawals.decided-APPROVE'));

  await checker.goto(`/audit?subject=withdrawal:${id}`);
  for (const money of await checker.getByText(/฿/).all()) await expect(money).toContainText('24,000.00');
  await expect(checker.getByText(/฿/)).not.toHaveCount(0);

  // The maker's screen follows by itself: their row stays in its place, and turns to what it has become.
  await expect(maker.getByRole('complementary')).toContainText(t('state.SUCCESS'));
  const phone = await visit(browser, { language: 'en' }, member);
  await phone.goto('/user/statement');
  const rows = phone.getByRole('main').locator('section').getByRole('button');
  await expect(rows.first()).toContainText('−24,000.00');
  await expect(rows.first()).toContainText(textOf('en', 'status.success'));
});

test('two operators cannot act on one row, and each sees who has it', async ({ browser }) => {
  await inOwnEnv({}, async (env) => {
    // Time enough to undo on a slow machine.
    await admin(['setting', 'set', 'desk.undoSeconds', '60'], env);
    const member = await newMember({ balance: 5_000, env });
    const id = await withdraw(member, 3_000);
    const pageName = `/withdrawals?q=${id}&open=${id}`;
    const { page: first, name: by } = await openConsole(browser, 'finance', env, pageName);
    const { page: second } = await openConsole(browser, 'finance-lead', env, pageName);
    await first.getByRole('button', { name: t('assignment.take') }).click();
    await expect(second.getByRole('complementary')).toContainText(t('assignment.by', { by }));
    await second.keyboard.press('j');
    await second.keyboard.press('a');
    await expect(second.getByRole('status')).toContainText(t('error.CLAIMED', { by }));
    await first.keyboard.press('j');
    await first.keyboard.press('r');
    await first.getByLabel(t('withdrawals.ownText')).check();
    await first.getByLabel(t('withdrawals.memberReadsOwn')).fill('ชื่อไม่ตรง กรุณาเปลี่ยนบัญชี');
    await checkScreen(first, 'reject');
    await first.keyboard.press('Control+Enter');
    await expect(first.getByRole('status')).toContainText(t('withdrawals.decided-REJECT'));
    // Undone, it waits again; decided once more and without time to undo, it is carried out.
    await first.keyboard.press('u');
    await expect(first.getByRole('status')).toContainText(t('withdrawals.undone'));
    await expect(second.getByRole('complementary')).toContainText(t('state.REVIEW'));
    await admin(['setting', 'set', 'desk.undoSeconds', '0'], env);
    await first.keyboard.press('r');
    await first.getByText('กรุณาติดต่อเราทางแชต').click();
    await first
      .getByRole('dialog')
      .getByRole('button', { name: t('withdrawals.reject') })
      .click();
    await expect(second.getByRole('complementary')).toContainText(t('state.FAILED'));
    const phone = await visit(browser, { language: 'la' }, member);
    await phone.goto('/user/statement');
    await phone.getByRole('main').locator('section').getByRole('button').first().click();
    await expect(phone.locator('dialog[open]')).toContainText('ກະລຸນາຕິດຕໍ່ພວກເຮົາທາງການສົນທະນາ');
  });
});

/** What the bank calls two payments of a member: one of their QR, one reported by a watched account's feed. */
async function payTwice(member: Member): Promise<[reference: string, amount: string][]> {
  const { payload } = await call('POST /api/qrcode/KBANK', { amount: 431 }, member.token, member.env);
  const { payments } = await control('pay-qr', { payload, phone: member.phone });
  // An account is watched from its first reading on.
  const read = async () => (await control('log?reference=0815550199&limit=1')).entries.length;
  await expect.poll(read).toBe(1);
  const sent = await control('transfer', {
    fromAccount: `TRUEMONEY:${member.phone}`,
    toBank: 'TRUEMONEY',
    toAccount: '0815550199',
    amount: 56.78,
  });
  const wallet = () => call('GET /api/wallet', undefined, member.token, member.env);
  await expect.poll(async () => (await wallet()).wallet.amount).toBe(1_487.78);
  return [
    [payments[0].transRef, '431.00'],
    [sent.transRef, '56.78'],
  ];
}

test('every page opens, in the light and in the dark, on a desktop and on a tablet', async ({ browser }) => {
  const member = await newMember({ balance: 1_000 });
  const payments = await payTwice(member);
  await call('POST /api/limits/break', { length: '7d' }, member.token, member.env);
  const { page } = await openConsole(browser, 'finance-lead');
  const finder = page.getByRole('dialog').locator('input');
  for (const [reference, amount] of payments) {
    // What is typed at once is not lost.
    await page.keyboard.press('Control+k');
    await page.keyboard.insertText(reference);
    await expect(page.getByRole('dialog')).toContainText(t('type.deposit'));
    await page.keyboard.press('Enter');
    const found = page.getByRole('table').getByRole('row').filter({ hasText: reference });
    await expect(found).toContainText(amount);
  }
  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await finder.fill(member.phone);
  await expect(page.getByRole('dialog')).toContainText(t('type.member'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(member.accountNo)).toHaveCount(0);
  await page.getByRole('button', { name: t('member.reveal'), exact: true }).click();
  await expect(page.getByText(t('member.revealed'))).toBeVisible();
  await expect(page.getByRole('list', { name: t('flag.title') }).getByRole('listitem')).toHaveCount(1);
  await checkScreen(page, 'member');
  const tabs = [
    'member.postings',
    'member.games',
    'nav.deposits',
    'nav.slips',
    'nav.transfers',
    'member.sessions',
  ];
  for (const tab of [...tabs, 'nav.audit']) {
    await page.getByRole('tab', { name: t(tab), exact: true }).click();
    await expect(page.getByRole('table')).toBeVisible();
  }
  for (const [letter, pageName] of [
    ['d', 'deposits'],
    ['u', 'unmatched'],
    ['r', 'reports'],
    ['s', 'slips'],
    ['p', 'transfers'],
    ['m', 'members'],
    ['f', 'figures'],
    ['l', 'audit'],
  ] as const) {
    await page.locator('body').click({ position: { x: 700, y: 5 } });
    await goByKeys(page, letter);
    await expect(page.getByRole('heading', { level: 1, name: t(`nav.${pageName}`) })).toBeVisible();
    await checkScreen(page, pageName);
  }
  await page.goto('/figures?report=channels');
  await expect(
    page.getByRole('img', { name: t('figures.chart', { name: t('figures.channels') }) }),
  ).toBeVisible();
  await checkScreen(page, 'chart');
  await page.getByRole('button', { name: t('shell.dark') }).click();
  await checkScreen(page, 'chart dark');
  await page.goto('/withdrawals?status=ALL');
  await checkScreen(page, 'withdrawals dark');
  await page.setViewportSize(TABLET);
  await checkScreen(page, 'withdrawals tablet');
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { level: 1, name: t('shell.notFound') })).toBeVisible();
  await checkScreen(page, 'no page');
  await page.getByRole('main').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: t('nav.today') })).toBeVisible();
});

/** The keys that `?` lists, each row as shown. */
async function listedKeys(page: Page): Promise<string[]> {
  await page.keyboard.press('?');
  const lines = page.getByRole('dialog').locator('div:has(> kbd)');
  await expect(lines.first()).toBeVisible();
  await checkScreen(page, 'keys');
  const keys = await lines.evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll('kbd')].map((key) => key.textContent).join(' ')),
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return keys;
}

/** Does with a waiting withdrawal what each key of a list says. */
async function tryListKeys(page: Page, id: string): Promise<void> {
  await page.goto('/withdrawals');
  await expect(page.getByRole('row').filter({ hasText: '2,100.00' }).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(id);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(id));
  await expect(page.getByRole('row')).toHaveCount(2);
  for (const key of ['j', 'k']) {
    await page.keyboard.press(key);
    await expect(current(page)).toContainText('2,100.00');
  }
  const picked = page.locator('tbody input:checked');
  for (const key of ['x', 'Shift+X'])
    for (const count of [1, 0]) {
      await page.keyboard.press(key);
      await expect(picked).toHaveCount(count);
    }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await page.keyboard.press('c');
  await expect(current(page)).toContainText('finance-lead-');
  for (const key of ['a', 'r']) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toContainText('2,100.00');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.keyboard.press('r');
  await page.getByLabel(t('withdrawals.ownText')).check();
  await page.getByLabel(t('withdrawals.memberReadsOwn')).fill('ชื่อไม่ตรง');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(t('withdrawals.decided-REJECT')).first()).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText(t('withdrawals.undone')).first()).toBeVisible();
}

/** Turns the pages of the trail, after more than one page has been written to it. */
async function tryPageKeys(page: Page): Promise<void> {
  const headers = { 'x-requested-with': 'console-operator', origin: sharedEnv().consoleUrl };
  for (let row = 0; row < 26; row++)
    await page.request.post('/api/operator/columns', { headers, data: { pageName: 'audit', shown: [] } });
  await page.goto('/audit');
  await expect(page.getByRole('row')).toHaveCount(26);
  await page.keyboard.press(']');
  await expect(page).toHaveURL(/cursor=after/);
  await expect(page.getByRole('button', { name: t('table.previous') })).toBeEnabled();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/cursor=before/);
  await expect(page.getByRole('row')).toHaveCount(26);
  await page.getByRole('button', { name: t('table.last') }).click();
  await expect(page.getByRole('button', { name: t('table.next') })).toBeDisabled();
}

test('every key that the list of keys names does what it says, and there is no other', async ({
  browser,
}) => {
  const id = await withdraw(await newMember({ balance: 3_000 }), 2_100);
  const { page } = await openConsole(browser, 'finance-lead');
  const keys = await listedKeys(page);
  const pageNames = keys.filter((line) => line.startsWith('g '));
  const others = 'Ctrl K|/|j k|x|Shift X|Enter|c|a|r|u|[ ]|Esc|h|?|Ctrl Enter';
  expect(keys.slice(pageNames.length).join('|')).toBe(others);
  const nav = page.getByRole('navigation', { name: t('shell.pageNames') });
  const seen = new Set<string>();
  for (const line of pageNames) {
    await goByKeys(page, line.slice(2));
    const link = nav.locator('a[aria-current=page]');
    await expect.poll(async () => seen.has((await link.getAttribute('href'))!)).toBe(false);
    seen.add((await link.getAttribute('href'))!);
  }
  expect(seen.size).toBe(await nav.getByRole('link').count());
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').locator('input')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('h');
  await expect(page.getByRole('dialog')).toContainText(t('help.terms'));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tryListKeys(page, id);
  await tryPageKeys(page);
});

test('an admin invites an operator, who enrols once a second person has agreed', async ({ browser }) => {
  const { page } = await openConsole(browser, 'admin');
  await goByKeys(page, 'o');
  await page.getByRole('button', { name: t('team.invite') }).click();
  const name = `somsri-${Date.now() % 1_000_000}`;
  await page.getByRole('dialog').getByLabel(t('signIn.name')).fill(name);
  await page.getByRole('dialog').getByLabel(t('field.reason')).fill('เพื่อนร่วมงานใหม่');
  await expect(page.getByRole('dialog').getByText(t('team.linkTwo'))).toBeVisible();
  await checkScreen(page, 'invite');
  await page.keyboard.press('Control+Enter');
  const link = await page.locator('pre').textContent();
  await expect(page.getByRole('alert').getByText(t('team.linkTwo'))).toBeVisible();
  await checkScreen(page, 'team');
  await page.getByRole('link', { name: t('team.toApprovals') }).click();
  const requested = page.getByRole('row').filter({ hasText: name });
  await expect(requested.getByRole('button', { name: t('approval.withdraw') })).toBeVisible();
  await expect(requested.getByRole('button', { name: t('approval.approve') })).toHaveCount(0);
  await page.goto('/me');
  await expect(page.getByText(t('me.current'))).toBeVisible();
  await checkScreen(page, 'me');

  const context = await browser.newContext({ viewport: DESKTOP, baseURL: sharedEnv().consoleUrl });
  const own = await context.newPage();
  await own.goto(link!);
  await expect(own.getByText(t('error.ENROLMENT_INVALID'))).toBeVisible();
  await checkScreen(own, 'enrol early');

  const { page: second } = await openConsole(browser, 'admin', sharedEnv(), '/approvals?state=PENDING');
  const row = second.getByRole('row').filter({ hasText: name });
  await row.getByRole('button', { name: t('approval.approve'), exact: true }).click();
  await expect(second.getByRole('dialog').getByText(name)).toBeVisible();
  await checkScreen(second, 'invite agreed');
  await second.keyboard.press('Enter');
  await expect(second.getByText(t('approval.approved'), { exact: true }).first()).toBeVisible();

  const response = await own.reload();
  const policy = response!.headers()['content-security-policy'];
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  await expect(own.getByText(name)).toBeVisible();
  await checkScreen(own, 'enrol');
  const secret = (await own.locator('pre').textContent())!.trim();
  await own.getByLabel(t('enrol.password')).fill('a long enough password');
  await own.getByLabel(t('signIn.code')).fill(codeOf(secret));
  await own.getByRole('button', { name: t('enrol.submit') }).click();
  await expect(own.getByRole('heading', { level: 1, name: t('enrol.done') })).toBeVisible();
  await own.getByRole('link', { name: t('signIn.title') }).click();
  await checkScreen(own, 'sign-in');
});
