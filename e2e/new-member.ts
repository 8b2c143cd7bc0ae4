import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { call, codeFor, control, type Place, sharedEnv } from './env-calls.ts';
import type { Language } from './texts.ts';

export const PHONE_SIZE = { width: 360, height: 780 };
export const DESKTOP_SIZE = { width: 1280, height: 800 };
export const PASSWORD = 'ลับของฉัน 123';

let serial = 0;

/** Persons a worker of the test runner may make before it meets the numbers of the next. */
const A_WORKER = 250;

/**
 * A phone and account that are unique in this run; the last four digits differ too, since banks show no more of a
 * sender than these.
 */
export function newPerson(): { phone: string; accountNo: string } {
  const worker = Number(process.env.TEST_WORKER_INDEX ?? 0);
  const tail = String((worker * A_WORKER + ++serial) % 10_000).padStart(4, '0');
  const number = `${String(process.pid % 10_000).padStart(4, '0')}${tail}`;
  return { phone: `08${number}`, accountNo: `55${number}` };
}

export interface Member {
  phone: string;
  accountNo: string;
  token: string;
  env: Place;
}

const ACCOUNT_NAME = 'SOMCHAI JAIDEE';

/** Lets the sandbox know a person with money in the bank. */
export const meet = (
  person: { phone: string; accountNo: string },
  env: Place = sharedEnv(),
  accountName = ACCOUNT_NAME,
) =>
  control(
    'persons',
    {
      name: 'ทดสอบ ใจดี',
      phone: person.phone,
      bankCode: 'KBANK',
      accountNo: person.accountNo,
      accountName,
      balance: 50_000,
    },
    env,
  );

async function proveByOtp(phone: string, env: Place): Promise<void> {
  const { otpToken } = await call('POST /api/otp/send', { phoneNumber: phone }, null, env);
  await call('POST /api/otp/verify', { otpToken, otpCode: await codeFor(phone, env) }, null, env);
}

/** A registered member with a session, made by calls; screens are another test's business. */
export async function newMember(
  options: {
    balance?: number;
    env?: Place;
    currency?: 'LAK';
    inviteCode?: string;
    accountName?: string;
  } = {},
): Promise<Member> {
  const { env = sharedEnv(), balance = 0, accountName = ACCOUNT_NAME } = options;
  const person = newPerson();
  await meet(person, env, accountName);
  await proveByOtp(person.phone, env);
  const account = {
    name: 'ทดสอบ ใจดี',
    username: person.phone,
    password: PASSWORD,
    sourceCode: 'friend',
    bankCode: 'KBANK',
    bankAccountName: accountName,
    bankAccountNo: person.accountNo,
    ...(options.inviteCode ? { inviteCode: options.inviteCode } : {}),
  };
  await call('POST /api/account', account, null, env);
  const { token } = await call('POST /api/login', { username: person.phone, password: PASSWORD }, null, env);
  const member = { ...person, token, env };
  if (balance > 0) await payIn(member, balance);
  return member;
}

/** Pays a QR of the member and waits for the money in the wallet. */
export async function payIn(member: Member, amount: number): Promise<void> {
  const { env, token, phone } = member;
  const { wallet } = await call('GET /api/wallet', undefined, token, env);
  const { payload } = await call('POST /api/qrcode/KBANK', { amount }, token, env);
  await control('pay-qr', { payload, phone }, env);
  for (let tries = 0; tries < 100; tries++) {
    const after = await call('GET /api/wallet', undefined, token, env);
    if (after.wallet.amount === wallet.amount + amount) return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error(`the ${amount} paid in did not arrive`);
}

/** Pays from an account of MALEE SRISUK that no member has registered: the feed does not show whose the money is. */
export async function payAsMalee(amount: number, env: Place): Promise<void> {
  const accountNo = '5561230001';
  const account = { bankCode: 'SCB', accountNo, accountName: 'MALEE SRISUK', balance: 5_000 };
  await control('persons', { name: 'MALEE SRISUK', phone: '0861230001', ...account }, env);
  const to = { toBank: 'SCB', toAccount: '2223334445' };
  // An account is watched from its first reading on.
  const readings = async () =>
    (await control(`log?reference=${to.toAccount}&limit=1`, undefined, env)).entries;
  await expect.poll(async () => (await readings()).length).toBe(1);
  await control('transfer', { fromAccount: `SCB:${accountNo}`, ...to, amount }, env);
}

/** Opens a game account and moves money into it. */
export async function playMoney(member: Member, game: string, amount: number): Promise<void> {
  await call(`GET /api/wallet/activate/${game}`, undefined, member.token, member.env);
  if (amount === 0) return;
  const body = { from: 'wallet', to: game, amount };
  await call('POST /api/wallet/transfer', body, member.token, member.env);
}

/** The member's name in a game. */
export async function gameName({ token, env }: Member, game: string): Promise<string> {
  return (await call(`GET /api/wallet/account/${game}`, undefined, token, env)).username;
}

export interface BrowserSettings {
  language?: Language;
  device?: 'phone' | 'small' | 'desktop';
  theme?: 'light' | 'dark';
  env?: Place;
  /** Two pixels for one, for pictures. */
  isFine?: boolean;
  /** With the app's motion; without it nothing is waited for that moves. */
  isMoving?: boolean;
}

const DEVICES: Record<'phone' | 'small' | 'desktop', BrowserContextOptions> = {
  phone: { viewport: PHONE_SIZE, isMobile: true, hasTouch: true },
  small: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  desktop: { viewport: DESKTOP_SIZE },
};

/** A browser of a visitor's own who has chosen a language; with a member they are logged in and have accepted. */
export async function visit(
  browser: Browser,
  settings: BrowserSettings = {},
  member?: Member,
): Promise<Page> {
  const { language = 'th', device = 'phone', theme } = settings;
  const origin = (member?.env ?? settings.env ?? sharedEnv()).url;
  const cookies = [
    { name: 'language', value: language.toUpperCase() },
    ...(theme ? [{ name: 'theme', value: theme }] : []),
  ];
  const stored = {
    locale: language,
    ...(member ? { token: member.token, 'remember-agreement': 'true' } : {}),
  };
  const context = await browser.newContext({
    ...DEVICES[device],
    reducedMotion: settings.isMoving ? 'no-preference' : 'reduce',
    ...(settings.isFine && device !== 'desktop' ? { deviceScaleFactor: 2 } : {}),
    baseURL: origin,
  });
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: origin })));
  const page = await context.newPage();
  // A context given this from the start opens a page of its own for it, which costs a tenth of loading home.
  await page.goto('/robots.txt');
  await page.evaluate((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  }, stored);
  return page;
}
