import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { call } from '../env-calls.ts';
import { checkScreen, checkScreenInAll } from '../member.ts';
import { newMember, payIn, playMoney, visit } from '../new-member.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);

test('the statement pages by ten, with signs, times and a receipt', async ({ browser }) => {
  const member = await newMember({ balance: 300 });
  await playMoney(member, 'betflix', 0);
  for (let count = 1; count <= 10; count++) {
    const body = { from: 'wallet', to: 'betflix', amount: count };
    await call('POST /api/wallet/transfer', body, member.token, member.env);
  }
  await call('POST /api/wallet/withdraw', { amount: 100 }, member.token, member.env);
  const page = await visit(browser, { language: 'en' }, member);
  await page.goto('/user/statement');
  const rows = page.getByRole('main').locator('section').getByRole('button');
  await expect(rows).toHaveCount(10);
  await expect(rows.first()).toContainText('−100.00');
  await expect(rows.nth(1)).toContainText(t('statement.transferTo', { place: 'Naga Tales' }));
  await expect(rows.nth(1)).toContainText(/(?<![+−])10\.00/);
  await expect(rows.nth(1)).toContainText(/\d\d:\d\d:\d\d · (Just now|\d+\s(sec|min)\sago)/);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toContainText(/\d\d\/\d\d\/20\d\d/);
  await rows.nth(1).click();
  await expect(page.getByRole('dialog')).toContainText(/\d\d\/\d\d\/20\d\d \d\d:\d\d:\d\d/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('pager.next') }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText('+300.00');
  await expect(page.getByRole('button', { name: t('pager.page', { page: '2' }) })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('button', { name: t('pager.next') })).toBeDisabled();
  await checkScreen(page, 'statement page 2');
});

test('the statement is narrowed by kind, status and days, also after a reload', async ({ browser }) => {
  const say = (id: string) => textOf('la', id);
  const member = await newMember({ balance: 300 });
  await playMoney(member, 'betflix', 40);
  await call('POST /api/wallet/withdraw', { amount: 100 }, member.token, member.env);
  const page = await visit(browser, { language: 'la' }, member);
  await page.goto('/user/statement');
  const rows = page.getByRole('main').locator('section').getByRole('button');
  await expect(rows).toHaveCount(3);
  await expect(rows.last()).toContainText(say('type.deposit'));
  await expect(rows.last()).toContainText(/KBANK|กสิกรไทย|Kasikorn|ກະສິກອນ/);
  await checkScreenInAll(page, 'statement');
  await page.getByRole('radio', { name: say('type.deposit') }).check();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('+300.00');
  await page.getByRole('button', { name: say('statement.filter'), exact: true }).click();
  await page.getByLabel(say('status.label'), { exact: true }).selectOption('SUCCESS');
  await page.reload();
  await expect(page.getByLabel(say('status.label'), { exact: true })).toHaveValue('SUCCESS');
  await expect(page.getByRole('radio', { name: say('type.deposit') })).toBeChecked();
  await expect(rows).toHaveCount(1);
  await checkScreenInAll(page, 'statement filtered');
  const from = page.getByRole('textbox', { name: say('statement.fromDay') });
  const to = page.getByRole('textbox', { name: say('statement.toDay') });
  await from.fill('31/02/2020');
  await to.focus();
  await expect(page.getByText(say('date.wrong'))).toBeVisible();
  await from.fill('');
  // A keypad has no slashes.
  await from.pressSequentially('01012020');
  await expect(from).toHaveValue('01/01/2020');
  await expect(page).toHaveURL(/from=2020-01-01/);
  await page.getByRole('button', { name: `${say('date.choose')}: ${say('statement.toDay')}` }).click();
  const calendar = page.getByRole('grid');
  await expect(calendar.getByRole('button').and(page.locator(':focus'))).toHaveAttribute(
    'aria-current',
    'date',
  );
  await checkScreenInAll(page, 'statement calendar');
  await page.keyboard.press('Escape');
  await expect(calendar).toHaveCount(0);
  await to.fill('30/12/2020');
  await page.getByRole('button', { name: `${say('date.choose')}: ${say('statement.toDay')}` }).click();
  await expect(calendar.locator('[aria-pressed=true]')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(calendar.locator('[aria-pressed=true]')).not.toBeFocused();
  await page.keyboard.press('Enter');
  await expect(to).toHaveValue('31/12/2020');
  await expect(page).toHaveURL(/to=2020-12-31/);
  await expect(page.getByText(say('statement.none'))).toBeVisible();
  await expect(rows).toHaveCount(0);
  await checkScreenInAll(page, 'statement without a match');
  await page
    .getByRole('button', { name: say('statement.clear') })
    .first()
    .click();
  await expect(rows).toHaveCount(3);
  await page.getByRole('radio', { name: say('type.transfer') }).check();
  await expect(rows).toHaveCount(1);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: say('statement.csv') }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(lines[0]).toBe('\uFEFFtime,type,status,from,to,amount,currency,reference,description');
  expect(lines.slice(1)).toEqual([expect.stringMatching(/,transfer,SUCCESS,wallet,betflix,40.00,BAHT,/), '']);
  await page.context().close();
});

test('a page that does not load hides its loader and can be retried', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.route('**/api/statement', (route) => route.abort());
  await page.route('**/api/lookup/contact', (route) => route.fulfill({ status: 500, body: 'broken' }));
  // A restored live connection reads everything again: here the member retries.
  await page.route('**/socket.io/**', (route) => route.abort());
  for (const [path, settled] of [
    ['/user/statement', t('statement.empty')],
    ['/user/contact', '1.1.14'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: t('btn.retry') }).waitFor();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await checkScreen(page, `failed ${path.slice(6)}`);
    await page.unroute(path === '/user/statement' ? '**/api/statement' : '**/api/lookup/contact');
    await page.getByRole('button', { name: t('btn.retry') }).click();
    await expect(page.getByText(settled)).toBeVisible();
    await expect(page.getByRole('button', { name: t('btn.retry') })).toHaveCount(0);
  }
});

test('a call that is never answered ends after 60 s with a way to try again', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.addInitScript(() => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms: number) => real(ms === 60_000 ? 5_000 : ms);
  });
  let requested = 0;
  await page.route('**/api/wallet', () => void requested++);
  // The live connection retries automatically: here the member does.
  await page.route('**/socket.io/**', (route) => route.abort());
  await page.goto('/user/home');
  await page.getByRole('button', { name: t('btn.retry') }).waitFor();
  await expect(page.getByText(t('error.unreachable'))).toBeVisible();
  // Another question would have doubled the minute.
  expect(requested).toBe(1);
  await page.unroute('**/api/wallet');
  await page.getByRole('button', { name: t('btn.retry') }).click();
  await expect(page.getByLabel(t('money.total'))).toBeVisible();
});

test('money paid in while a page is open arrives by itself', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  await page.goto('/user/home');
  await expect(page.locator('[data-live]')).toBeVisible();
  await payIn(member, 77);
  await expect(page.getByLabel(t('money.total'))).toContainText('77.00');
});

test('what came while the device was offline is there as soon as it is online again', async ({ browser }) => {
  const member = await newMember();
  const page = await visit(browser, { language: 'en' }, member);
  let cut = async (): Promise<void> => undefined;
  await page.routeWebSocket('**/socket.io/**', (socket) => {
    socket.connectToServer();
    cut = () => socket.close();
  });
  await page.clock.install();
  await page.goto('/user/home');
  await expect(page.locator('[data-live]')).toBeVisible();
  let tries = 0;
  page.on('requestfailed', (request) => {
    if (request.url().includes('/socket.io/')) tries++;
  });
  await page.context().setOffline(true);
  await cut();
  await payIn(member, 77);
  await expect.poll(() => tries).toBeGreaterThanOrEqual(4);
  // With the page's clock standing still no timer begins the next try: only being online again does.
  await page.clock.pauseAt(Date.now() + 60_000);
  const taken = page.waitForRequest('**/socket.io/**');
  await page.context().setOffline(false);
  await taken;
  await page.clock.resume();
  await expect(page.getByLabel(t('money.total'))).toContainText('77.00');
});
