/**
 * Walks ten errands of a member on a phone, counts taps and typed characters, and measures the time the app takes: from
 * the first tap until the result is on the screen, with the processor slowed four times. What a person needs to read,
 * think and type is not in it. Prints one line of JSON for each errand.
 * Usage: node e2e/errands.ts (the member app must have been built)
 */
import { chromium, type Page, expect as within } from '@playwright/test';
import { launcher, log } from './chat.ts';
import { chromiumLaunch } from './chromium.ts';
import { call, codeFor, control } from './env-calls.ts';
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
} from './new-member.ts';
import { startTestEnv } from './test-env.ts';
import { textOf } from './texts.ts';

/** What one errand cost. */
export interface ErrandCost {
  errand: string;
  taps: number;
  typed: number;
  seconds: number;
  /** Longest time from an input to the next paint, ms. */
  slowestMs: number;
}

const SLOWED = 4;
/** A busy machine is slow, not wrong: how long something took is in the figures. */
const LONGEST_MS = 120_000;
const expect = within.configure({ timeout: LONGEST_MS });
const t = (id: string, values?: Record<string, string>) => textOf('en', id, values);

const env = await startTestEnv();
const browser = await chromium.launch(await chromiumLaunch());

const sheet = (page: Page) => page.getByRole('dialog').last();
const tile = (page: Page, id: string) => page.getByRole('button', { name: t(id), exact: true });
const submit = (page: Page) => sheet(page).locator('button[type=submit]').click();

/** Runs in the page: counts what fingers do. A press of the keyboard's Enter counts as a tap. */
function countFingers(): void {
  const cost = { taps: 0, typed: 0, slowestMs: 0 };
  Object.assign(globalThis, { cost });
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId) cost.slowestMs = Math.max(cost.slowestMs, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  addEventListener('pointerdown', () => cost.taps++, true);
  addEventListener('keydown', ({ key }) => (cost.taps += Number(key === 'Enter')), true);
  addEventListener(
    'input',
    ({ target }) => {
      const isText =
        target instanceof HTMLInputElement && target.inputMode !== 'none' && target.type !== 'checkbox';
      if (isText || target instanceof HTMLTextAreaElement) cost.typed++;
    },
    true,
  );
}

/** A phone on the given page, ready to begin. */
async function phoneAt(path: string, member?: Member): Promise<Page> {
  const page = await visit(browser, { language: 'en', env }, member);
  page.setDefaultTimeout(LONGEST_MS);
  await page.addInitScript(countFingers);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(path);
  if (member) await expect(page.getByLabel(t('money.total'))).toBeVisible();
  await page.waitForLoadState('networkidle');
  return page;
}

/** Taps a field and types as fingers do, one key at a time. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.click();
  await field.pressSequentially(text);
}

/** Chooses from a phone's list, which takes a tap to open and one to choose. */
async function choose(page: Page, label: string, value: string): Promise<number> {
  await page.getByLabel(label, { exact: true }).selectOption(value);
  return 2;
}

/** `work` answers the taps that the page cannot see, such as those in a phone's own list. */
async function measure(errand: string, page: Page, work: () => Promise<number | undefined>): Promise<void> {
  const start = performance.now();
  const unseen = (await work()) ?? 0;
  const seconds = (performance.now() - start) / 1000;
  const { taps, typed, slowestMs } = await page.evaluate(
    () => (globalThis as unknown as { cost: ErrandCost }).cost,
  );
  const cost: ErrandCost = {
    errand,
    taps: taps + unseen,
    typed,
    seconds: Math.round(seconds * 10) / 10,
    slowestMs,
  };
  console.log(JSON.stringify(cost));
  await page.context().close();
}

async function register(): Promise<void> {
  const person = newPerson();
  await meet(person, env);
  const page = await phoneAt('/login');
  await measure('register', page, async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: t('auth.register') })
      .click();
    await expect(page.getByRole('heading', { name: t('register.phoneTitle') })).toBeVisible();
    await type(page, t('auth.phone'), person.phone);
    await page.getByRole('button', { name: t('btn.next') }).click();
    await expect(page.getByRole('heading', { name: t('otp.enter') })).toBeVisible();
    await page
      .getByRole('textbox')
      .first()
      .pressSequentially(await codeFor(person.phone, env));
    await type(page, t('auth.name'), 'Somchai');
    await type(page, t('auth.password'), PASSWORD);
    await type(page, t('auth.confirmPassword'), PASSWORD);
    const source = await choose(page, t('register.source'), 'friend');
    await page.getByLabel(t('register.age', { age: '20' })).click();
    await page.getByRole('button', { name: t('btn.next') }).click();
    const bank = await choose(page, t('bank.bank'), 'KBANK');
    await type(page, t('bank.accountNo'), person.accountNo);
    await type(page, t('bank.firstName'), 'somchai');
    await type(page, t('bank.lastName'), 'jaidee');
    await page.getByRole('button', { name: t('auth.register') }).click();
    await page.waitForURL('**/login');
    return source + bank;
  });
}

/** From the tile to the QR; the bank's own app comes after it. */
async function firstDeposit(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await measure('first deposit', page, async () => {
    await tile(page, 'deposit.tile').click();
    await sheet(page)
      .getByRole('button')
      .filter({ hasText: t('deposit.anyBankApp') })
      .click();
    await page.getByRole('button', { name: '500', exact: true }).click();
    await submit(page);
    await expect(page.getByRole('timer')).toBeVisible();
  });
}

async function repeatDeposit(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await measure('repeat deposit', page, async () => {
    await tile(page, 'deposit.tile').click();
    await sheet(page).getByText(t('deposit.againLead')).click();
    await expect(page.getByRole('timer')).toBeVisible();
  });
}

async function play(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await measure('open a game and play', page, async () => {
    await page.getByRole('button', { name: 'Naga Tales' }).click();
    await page.getByRole('button', { name: '100', exact: true }).click();
    const [game] = await Promise.all([
      page.waitForEvent('popup'),
      sheet(page)
        .getByRole('button', { name: t('game.playWith', { amount: '' }) })
        .click(),
    ]);
    await game.waitForURL('**/play**');
  });
}

async function bringHome(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await measure('bring money home', page, async () => {
    await page.getByRole('button', { name: 'Naga Tales' }).click();
    await sheet(page)
      .getByRole('button', { name: t('transfer.title') })
      .click();
    await sheet(page)
      .getByRole('button', { name: t('transfer.only') })
      .click();
    await expect(page.getByText(t('transfer.success'))).toBeVisible();
  });
}

async function withdraw(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await measure('withdraw', page, async () => {
    await tile(page, 'withdraw.tile').click();
    const amount = sheet(page).getByRole('textbox');
    await amount.click();
    await amount.pressSequentially('200');
    await submit(page);
    await expect(page.getByText(t('withdraw.waiting'))).toBeVisible();
  });
}

async function claimBonus(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await measure('claim a bonus', page, async () => {
    await tile(page, 'bonus.bonus').click();
    await page.getByRole('listitem').filter({ hasText: 'Welcome bonus' }).getByRole('button').click();
    await sheet(page)
      .getByRole('button', { name: new RegExp(t('bonus.receiveSum', { amount: '' })) })
      .click();
    await expect(page.getByRole('alertdialog')).toContainText(t('bonus.saved'));
  });
}

/** Polls the open bonus run until its conditions are met: the server has read the game by then. */
async function waitUntilMet({ token }: Member): Promise<void> {
  const active = () => call('GET /api/bonus/check/active', undefined, token, env);
  await expect
    .poll(async () => {
      await call('GET /api/wallet/refresh/slot', undefined, token, env);
      const { balance, target, turnover, turnoverNeeded } = await active();
      return balance >= target && turnover >= turnoverNeeded;
    })
    .toBe(true);
}

/** The required play is done; the run can be ended. */
async function finishBonus(member: Member): Promise<void> {
  await playMoney(member, 'betflix', 700);
  const username = await gameName(member, 'betflix');
  await control('play', { agent: 'betflix', username, stake: 700, rounds: 12, result: 'win' }, env);
  await waitUntilMet(member);
  const page = await phoneAt('/user/home', member);
  await measure('finish a bonus', page, async () => {
    await tile(page, 'bonus.inUseTile').click();
    await page.getByRole('button', { name: t('bonus.finish'), exact: true }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
  });
}

async function openTransferQuestion(member: Member): Promise<void> {
  const page = await phoneAt('/user/home', member);
  await expect(launcher(page, 'en')).toBeVisible();
  await measure('show a transfer question', page, async () => {
    await page.getByRole('link', { name: t('statement.nav') }).click();
    await page.getByRole('main').locator('section').getByRole('button').first().click();
    await sheet(page)
      .getByRole('button', { name: t('chat.aboutThis') })
      .click();
    await page.getByRole('button', { name: t('chat.send') }).click();
    await expect(log(page)).toContainText(t('chat.about', { reference: '' }).trim());
  });
}

async function changeLanguage(): Promise<void> {
  const page = await phoneAt('/login');
  await measure('change language', page, async () => {
    await page.getByRole('button', { name: t('nav.language') }).click();
    await page.locator('[popover] button[lang=th]').click();
    await expect(page.getByRole('button', { name: textOf('th', 'auth.login') })).toBeVisible();
  });
}

try {
  await register();
  const member = await newMember({ env });
  await firstDeposit(member);
  await payIn(member, 500);
  await repeatDeposit(member);
  await payIn(member, 500);
  await play(member);
  await bringHome(member);
  await withdraw(member);
  const receiver = await newMember({ env, balance: 500 });
  await claimBonus(receiver);
  await finishBonus(receiver);
  await openTransferQuestion(member);
  await changeLanguage();
} finally {
  await browser.close();
  await env.stop();
}
