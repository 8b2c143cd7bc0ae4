import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { buildInto } from '../build.ts';
import { checkConsole, consoleText, openConsole } from '../console.ts';
import { call, codeFor, control, inOwnEnv, type Place } from '../env-calls.ts';
import { checkScreen, checkSheet, keepPressing } from '../member.ts';
import { newPerson, PASSWORD } from '../new-member.ts';
import { newOperator } from '../operator.ts';
import { test } from '../test.ts';
import { textOf } from '../texts.ts';

const SITE_HOST = 'https://friends.example';

const la = (id: string, values?: Record<string, string>) => textOf('la', id, values);

interface Intent {
  phone: string;
  /** The phone as it is typed: with the country's number, with a leading 0, or bare. */
  typed: string;
  accountNo: string;
  currency?: 'BAHT';
}

/** Nine digits: the Lao build checks no length. Kip is chosen already; no bank is recommended. */
async function register(
  page: Page,
  { phone, typed, accountNo, currency }: Intent,
  env: Place,
): Promise<void> {
  await page.goto('/register');
  await page.getByLabel(la('auth.phone')).fill(typed);
  await page.getByRole('button', { name: la('btn.next') }).click();
  await expect(page.getByRole('heading', { name: la('otp.enter') })).toBeVisible();
  await page
    .getByRole('textbox')
    .first()
    .pressSequentially(await codeFor(phone, env));
  await page.getByLabel(la('auth.name'), { exact: true }).fill('ສົມໃຈ ດີ');
  await page.getByLabel(la('auth.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(la('auth.confirmPassword'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(la('register.source')).selectOption('friend');
  await page.getByLabel(la('register.age', { age: '20' })).check();
  await page.getByRole('button', { name: la('btn.next') }).click();
  await expect(page.getByRole('radio', { name: la('currency.kipName') })).toBeChecked();
  if (!currency) await checkScreen(page, 'Lao register bank');
  if (currency) {
    await page.getByRole('radio', { name: la('currency.bahtName') }).click();
    // Going back loses nothing, the currency neither.
    await page.goBack();
    await page.getByRole('button', { name: la('btn.next') }).click();
    await expect(page.getByRole('radio', { name: la('currency.bahtName') })).toBeChecked();
  }
  await expect(page.getByLabel(la('bank.bank'), { exact: true }).locator('optgroup')).toHaveCount(0);
  await page.getByLabel(la('bank.bank'), { exact: true }).selectOption('BCEL');
  await page.getByLabel(la('bank.accountNo')).fill(accountNo);
  await page.getByLabel(la('bank.firstName')).fill('somjai');
  await page.getByLabel(la('bank.lastName')).fill('dee');
  await page.getByRole('button', { name: la('auth.register') }).click();
  await page.waitForURL('**/login');
}

const card = (page: Page) => page.getByLabel(la('money.total'));
const sheet = (page: Page) => page.getByRole('dialog');
const openDeposit = (page: Page) =>
  page.getByRole('button', { name: la('deposit.tile'), exact: true }).click();
/** The way to pay in that shows an account, or the one that makes a code. */
const channel = (page: Page, detail: string) => sheet(page).getByRole('button').filter({ hasText: detail });

/** By a transfer to the shown account, and by the static code with the amount put in. */
async function payIn(page: Page, phone: string, env: Place): Promise<void> {
  await openDeposit(page);
  await expect(sheet(page)).not.toContainText(la('currency.baht'));
  await checkSheet(page, 'Lao deposit channels');
  await channel(page, '010120008887').click();
  await checkSheet(page, 'Lao deposit account');
  const log = 'log?party=bank-b&reference=010120008887&limit=1';
  await expect.poll(async () => (await control(log, undefined, env)).entries.length).toBe(1);
  const account = { toBank: 'BCEL', toAccount: '010120008887' };
  await control('transfer', { phone, ...account, amount: '700000.00' }, env);
  await page.keyboard.press('Escape');
  await expect(card(page)).toContainText('700,000.00');
  await openDeposit(page);
  await channel(page, la('money.min', { min: '' }).trim()).click();
  await sheet(page).getByRole('textbox').fill('300000');
  await checkSheet(page, 'Lao deposit amount');
  const made = page.waitForResponse(
    (reply) => reply.url().includes('/api/qrcode/BCEL') && reply.request().method() === 'POST',
  );
  await sheet(page).locator('button[type=submit]').click();
  const { payload } = await (await made).json();
  await expect(page.getByRole('timer')).toBeVisible();
  await checkSheet(page, 'Lao deposit QR');
  await keepPressing(page);
  await control('pay-qr', { payload, phone }, env);
  await expect(page.getByText(la('qr.paid'))).toBeVisible();
  await checkSheet(page, 'Lao deposit paid');
  await page.getByRole('button', { name: la('btn.done') }).click();
  await expect(card(page)).toContainText('1,000,000.00');
}

/** An admin sets what a credit of a game costs in kip. */
async function setRate(code: string, rateLak: number, env: Place): Promise<void> {
  const { name, password, code: otp } = await newOperator('admin', env);
  const own = { 'x-requested-with': 'console-operator', origin: env.consoleUrl };
  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${env.consoleUrl}/api/operator/${path}`, {
      method,
      headers: { ...own, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const login = await send('POST', 'login', {}, { name, password, code: otp() });
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const { games } = await (await send('GET', 'games', { cookie })).json();
  const game = games.find((one: { code: string }) => one.code === code);
  const { name: called, state, least, version, rate } = game;
  const intent = { name: called, state, least, version, rate, rateLak, reason: 'kip' };
  expect((await send('PUT', `games/${code}`, { cookie }, intent)).status).toBe(200);
}

/** Seven hundred kip a credit: only whole credits move, and what a bet took is gone in whole kip. */
async function play(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Naga Tales' }).click();
  await sheet(page)
    .getByRole('button', { name: la('game.open'), exact: true })
    .click();
  await sheet(page)
    .getByRole('button', { name: la('transfer.title') })
    .click();
  await sheet(page).getByRole('textbox').fill('140000');
  await checkSheet(page, 'Lao transfer');
  await sheet(page).locator('button[type=submit]').click();
  await expect(page.getByText(la('transfer.success'))).toBeVisible();
  await page.getByRole('button', { name: la('btn.ok') }).click();
  const naga = page.getByRole('button', { name: 'Naga Tales' });
  await expect(naga).toContainText('200.00');
  await expect(naga).toContainText('140,000.00');
  await naga.click();
  const [game] = await Promise.all([
    page.waitForEvent('popup'),
    sheet(page)
      .getByRole('button', { name: la('game.play') })
      .click(),
  ]);
  await game.locator('form[action$="/bet"] button').click();
  await expect(game.locator('#history .num').first()).toBeVisible();
  await game.close();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: la('money.refresh') }).click();
  await checkScreen(page, 'Lao home with a game');
  await page.getByRole('button', { name: la('transfer.title'), exact: true }).click();
  await page.getByRole('combobox', { name: la('transfer.source') }).selectOption('betflix');
  await page.getByRole('combobox', { name: la('transfer.destination') }).selectOption('wallet');
  await sheet(page)
    .getByRole('button', { name: la('transfer.allTo', { place: la('wallet.main') }) })
    .click();
  await checkSheet(page, 'Lao transfer all');
  await page.getByRole('button', { name: la('transfer.all'), exact: true }).click();
  await expect(page.getByText(la('transfer.success'))).toBeVisible();
  await page.getByRole('button', { name: la('btn.ok') }).click();
}

/** No bank of ours pays kip by itself: an operator pays manually and books it with the bank's reference. */
async function isPaidOut(page: Page, browser: Browser, env: Place): Promise<void> {
  await page.getByRole('button', { name: la('withdraw.tile'), exact: true }).click();
  await sheet(page).getByRole('textbox').fill('500000');
  // Nothing is promised to be paid without an operator.
  await expect(sheet(page)).not.toContainText('1,400,000');
  await checkSheet(page, 'Lao withdraw');
  await sheet(page).locator('button[type=submit]').click();
  await expect(page.getByText(la('withdraw.waiting'))).toBeVisible();
  await page.getByRole('button', { name: la('btn.ok') }).click();
  const { page: consolePage } = await openConsole(browser, 'finance', env, '/withdrawals');
  await expect(consolePage.getByRole('row')).toHaveCount(2);
  await consolePage.keyboard.press('j');
  await consolePage.keyboard.press('Enter');
  const panel = consolePage.getByRole('complementary');
  await expect(panel).toContainText('500,000.00');
  await checkConsole(consolePage, 'Lao withdrawal');
  await panel.getByRole('button', { name: consoleText('assignment.take') }).click();
  await panel.getByRole('button', { name: consoleText('withdrawals.paid') }).click();
  await consolePage.getByLabel(consoleText('field.proof')).fill('BCEL 20261121-77');
  // No bank is proposed for kip: the money came from one of ours in that currency.
  await consolePage.getByLabel(consoleText('field.paidFrom')).fill('BCEL');
  await consolePage.keyboard.press('Enter');
  await expect(panel).toContainText(consoleText('state.SUCCESS'));
  await consolePage.context().close();
  await page.getByRole('link', { name: la('statement.nav') }).click();
  const row = page
    .getByRole('button')
    .filter({ hasText: la('type.withdraw') })
    .first();
  await expect(row).toContainText('500,000.00');
  await expect(row).toContainText(la('status.success'));
  await checkScreen(page, 'Lao statement');
}

/** Invite links carry the site's own host, whatever address the member came by. */
async function invites(page: Page): Promise<void> {
  await page.getByRole('button', { name: la('invite.title'), exact: true }).click();
  await expect(sheet(page)).toContainText(`${SITE_HOST}/register?code=PR`);
  await page.keyboard.press('Escape');
}

/** A member who chooses baht has a wallet in baht. */
async function choosesBaht(page: Page, env: Place): Promise<void> {
  const { phone, accountNo } = newPerson();
  const number = phone.slice(1);
  await register(page, { phone: number, typed: number, accountNo, currency: 'BAHT' }, env);
  const { token } = await call('POST /api/login', { username: number, password: PASSWORD }, null, env);
  const { wallet } = await call('GET /api/wallet', undefined, token, env);
  expect(wallet.currency).toBe('BAHT');
}

/** A second address of the same machine: whatever is sent there goes to the port named once it is known. */
async function startDoor(
  host: string,
): Promise<{ origin: string; lead: (to: string) => void; stop: () => void }> {
  let port = 0;
  const door = createTcpServer((line) => {
    const inside = connect(port, '127.0.0.1');
    for (const end of [line, inside]) end.on('error', () => undefined);
    line.pipe(inside).pipe(line);
  }).listen(0, host);
  await once(door, 'listening');
  return {
    origin: `http://${host}:${(door.address() as AddressInfo).port}`,
    lead: (to) => {
      port = Number(new URL(to).port);
    },
    stop: () => door.close(),
  };
}

/** Another site whose pages show what their address names in a frame; returns its origin. */
async function startParent(): Promise<{ origin: string; stop: () => void }> {
  const server = createServer((request, reply) => {
    const shown = new URL(request.url!, 'http://localhost').searchParams.get('shows');
    reply.setHeader('content-type', 'text/html');
    reply.end(`<iframe src="${shown}" width="360" height="700"></iframe>`);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, stop: () => server.close() };
}

/** The named parent shows the app, which keeps its language there; any other parent shows nothing. */
async function isFramed(context: BrowserContext, parent: string, site: string): Promise<void> {
  const page = await context.newPage();
  const address = `/?shows=${encodeURIComponent(`${site}/login`)}`;
  await page.goto(parent + address);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: la('auth.login') })).toBeVisible();
  await frame.getByRole('button', { name: /ລາວ/ }).click();
  await frame.getByRole('button', { name: 'English', exact: true }).click();
  await expect(frame.getByRole('heading', { name: textOf('en', 'auth.login') })).toBeVisible();
  await page.reload();
  await expect(frame.getByRole('heading', { name: textOf('en', 'auth.login') })).toBeVisible();
  const foreignSite = await startParent();
  await page.goto(foreignSite.origin + address);
  await expect.poll(() => page.frames().at(1)?.url()).toBe('chrome-error://chromewebdata/');
  foreignSite.stop();
}

/** What is open to everybody, in Lao by itself; the address alone is not what makes it so. */
async function visits(page: Page): Promise<void> {
  for (const [path, heading] of [
    ['/howto', 'nav.howto'],
    ['/contact', 'contact.title'],
    ['/forgot', 'forgot.title'],
    ['/terminated', 'error.terminatedTitle'],
    ['/nope', 'error.pageNotFound'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: la(heading) }).first()).toBeVisible();
    await checkScreen(page, `Lao ${path.slice(1)}`);
  }
}

async function walk(page: Page, browser: Browser, env: Place): Promise<void> {
  const { phone, accountNo } = newPerson();
  const number = `20${phone.slice(3)}`;
  const bank = { bankCode: 'BCEL', accountNo, accountName: 'SOMJAI DEE', balance: 5_000_000 };
  await control('persons', { name: 'ສົມໃຈ ດີ', phone: number, ...bank }, env);
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'lo');
  await checkScreen(page, 'Lao login');
  await visits(page);
  await register(page, { phone: number, typed: `+856 ${number}`, accountNo }, env);
  await page.getByLabel(la('auth.phone')).fill(`0${number}`);
  await page.getByLabel(la('auth.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: la('auth.login') }).click();
  await page.getByRole('button', { name: la('agree.accept') }).click();
  await expect(card(page)).toContainText('₭');
  await checkScreen(page, 'Lao home');
  await invites(page);
  await payIn(page, number, env);
  await setRate('betflix', 700, env);
  await play(page);
  await isPaidOut(page, browser, env);
}

test('the second build is Lao, its backend elsewhere, framed by its parent only; a member in kip pays in, plays and is paid out in whole kip', async ({
  browser,
}) => {
  // It builds the app and walks the whole life of a member.
  test.slow();
  const folder = mkdtempSync(join(tmpdir(), 'krapao-lao-'));
  const parent = await startParent();
  // One server behind both; to the browser they are two sites.
  const [site, backend] = [await startDoor('localhost'), await startDoor('127.0.0.1')];
  const build = { VARIANT: 'la', SITE_HOST, IFRAME: parent.origin, API_BASE: backend.origin };
  const WEB_DIR = await buildInto(folder, build);
  await inOwnEnv({ ...build, WEB_DIR, CORS_ORIGINS: site.origin }, async (env) => {
    site.lead(env.url);
    backend.lead(env.url);
    const context = await browser.newContext({
      viewport: { width: 360, height: 780 },
      isMobile: true,
      hasTouch: true,
      baseURL: site.origin,
    });
    const page = await context.newPage();
    const requested = new Set<string>();
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (pathname.startsWith('/api')) requested.add(origin);
    });
    await walk(page, browser, env);
    expect([...requested]).toEqual([backend.origin]);
    await context.close();
    const visitors = await browser.newContext({ baseURL: site.origin });
    await choosesBaht(await visitors.newPage(), env);
    await isFramed(visitors, parent.origin, site.origin);
    await visitors.close();
  });
  for (const door of [parent, site, backend]) door.stop();
  rmSync(folder, { recursive: true, force: true });
});
