import { MINUTE_MS } from '@krapao/contract/durations';
import type { App } from '../app.ts';
import { storeMember } from '../features/registration/register.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import type { Persona } from './population.ts';
import type { DemoSandbox } from './sandbox.ts';

/** The product, the sandbox and the members' common password. */
export interface DemoContext {
  app: App;
  sandbox: DemoSandbox;
  password: string;
  passwordHash: string;
}

/** A member who acts through the member API. */
export interface DemoMember {
  id: bigint;
  persona: Persona;
  /** Games with an account. */
  opened: Set<string>;
  /** Whether a bonus was received and not ended by the member since. */
  hasBonus: boolean;
  /** Makes one call; returns the reply, or null when it was refused. */
  // biome-ignore lint/suspicious/noExplicitAny: replies differ by call
  call(name: string, body?: object | FormData): Promise<any>;
  /** Returns the wallet in baht. */
  wallet(): Promise<number>;
}

/** Waits for something that a partner delivers in its own time. */
async function until(isThere: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isThere()) return;
    await new Promise((resume) => setTimeout(resume, 10));
  }
  throw new Error(`demo: gave up waiting for ${isThere}`);
}

/** Registers a persona, as one who was invited by `invitedBy` if given, with an account at the sandbox's bank. */
export async function registerMember(
  context: DemoContext,
  persona: Persona,
  inviteCode: string | undefined,
): Promise<DemoMember> {
  const { name, phone, bankCode, accountNo, accountName } = persona;
  await context.sandbox.control('persons', {
    name,
    phone,
    bankCode,
    accountNo,
    accountName,
    balance: 5_000_000,
  });
  const id = await storeMember(refuseAny, context.app.deps, {
    phone,
    name,
    currency: 'BAHT',
    sourceCode: 'other',
    inviteCode,
    passwordHash: context.passwordHash,
    bank: { bankCode, bankAccountNo: accountNo, bankAccountName: accountName },
  });
  return memberOf(context, persona, id);
}

function memberOf(context: DemoContext, persona: Persona, id: bigint): DemoMember {
  let token: string | undefined;
  const send = async (name: string, body: object | FormData | undefined) => {
    const [method, url] = name.split(' ') as ['GET', string];
    const encoded = body === undefined ? undefined : await encode(body);
    return context.app.http.inject({
      method,
      url,
      remoteAddress: persona.address,
      headers: {
        'x-requested-with': 'wallet-user',
        'accept-language': 'th',
        'user-agent': persona.browser,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(encoded ? { 'content-type': encoded.type } : {}),
      },
      ...(encoded ? { payload: encoded.bytes } : {}),
    });
  };
  const logIn = async () => {
    token = undefined;
    const login = { username: persona.phone, password: context.password };
    const reply = await send('POST /api/login', login);
    token = reply.json().token;
  };
  const call: DemoMember['call'] = async (name, body) => {
    if (token === undefined) await logIn();
    let reply = await send(name, body);
    if (reply.statusCode === 401) {
      await logIn();
      reply = await send(name, body);
    }
    return reply.statusCode < 400 ? reply.json() : null;
  };
  return {
    id,
    persona,
    opened: new Set(),
    hasBonus: false,
    call,
    wallet: async () => (await call('GET /api/wallet')).wallet.amount,
  };
}

async function encode(body: object | FormData): Promise<{ type: string; bytes: Buffer }> {
  if (!(body instanceof FormData))
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
  const form = new Response(body);
  return { type: form.headers.get('content-type')!, bytes: Buffer.from(await form.arrayBuffer()) };
}

/** The company's account that members of a bank transfer to. */
const accountFor = ({ bankCode }: Persona) =>
  bankCode === 'SCB'
    ? { toBank: 'SCB', toAccount: '2223334445' }
    : { toBank: 'KBANK', toAccount: '3334445556' };

const DEPOSITS: Record<
  Persona['channel'],
  (context: DemoContext, member: DemoMember, amount: number) => Promise<void>
> = {
  async qr({ sandbox }, member, amount) {
    const { phone, bankCode } = member.persona;
    const before = await member.wallet();
    const channel = bankCode === 'KBANK' ? 'KBANK' : 'WW';
    const qr = await member.call(`POST /api/qrcode/${channel}`, { amount });
    if (!qr) return;
    await sandbox.control('pay-qr', { payload: qr.payload, phone, amount });
    await until(async () => (await member.wallet()) > before);
  },
  async transfer({ app, sandbox }, { persona }, amount) {
    await sandbox.control('transfer', {
      fromAccount: `${persona.bankCode}:${persona.accountNo}`,
      ...accountFor(persona),
      amount,
    });
    await app.runJob('feeds.read');
  },
  async slip({ app, sandbox }, member, amount) {
    await submitSlip({ sandbox }, member, amount, 'good');
    await app.runJob('slips.ask');
    await app.runJob('feeds.read');
  },
  async gift({ sandbox }, member, amount) {
    const voucher = await sandbox.control('vouchers', { amount, phone: member.persona.phone });
    await member.call('POST /api/wallet/truelink', { link: voucher.link });
  },
};

/** Uploads the picture of a transfer; `kind` says what is wrong with it. */
export async function submitSlip(
  { sandbox }: Pick<DemoContext, 'sandbox'>,
  member: DemoMember,
  amount: number,
  kind: 'good' | 'reused' | 'edited-amount' | 'wrong-receiver',
): Promise<void> {
  const { phone } = member.persona;
  const slip = await sandbox.control('slip', {
    phone,
    ...accountFor(member.persona),
    amount,
    kind,
    format: 'jpeg',
  });
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(slip.image, 'base64')], { type: 'image/jpeg' }), 'slip.jpg');
  await member.call('POST /api/wallet/slip', form);
}

/** Deposits by the persona's own channel. */
export const deposit = (context: DemoContext, member: DemoMember, amount: number): Promise<void> =>
  DEPOSITS[member.persona.channel](context, member, amount);

/** Takes an amount into a game, plays it some times over and brings back what is left. */
export async function play(
  { sandbox }: DemoContext,
  member: DemoMember,
  { game, amount, rounds, result }: { game: string; amount: number; rounds: number; result?: 'win' | 'lose' },
): Promise<void> {
  if (!member.opened.has(game)) await member.call(`GET /api/wallet/activate/${game}`);
  member.opened.add(game);
  const moved = await member.call('POST /api/wallet/transfer', { from: 'wallet', to: game, amount });
  if (!moved) return;
  const startedAt = sandbox.clock.now().getTime();
  const stake = Math.max(1, Math.floor(amount / 8));
  const username = `kp${member.id}`;
  await sandbox.moveTo(startedAt + 20 * MINUTE_MS);
  await sandbox
    .control('play', { agent: game, username, stake, rounds, result: result ?? 'fair' })
    .catch(() => undefined);
  await sandbox.moveTo(startedAt + 30 * MINUTE_MS);
  await member.call('POST /api/wallet/transferAll', { to: 'wallet' });
}

/** Asks for a withdrawal and, where it is paid automatically, lets the bank carry it out. Returns its id. */
export async function withdraw(
  { app, sandbox }: DemoContext,
  member: DemoMember,
  amount: number,
): Promise<string | undefined> {
  const requested = await member.call('POST /api/wallet/withdraw', { amount });
  if (!requested) return undefined;
  await payOut({ app, sandbox }, requested.id);
  return requested.id;
}

const PAYOUT_CHECKS = 5;

/** Sends what may be paid to the bank and takes in what it says in the minutes after. */
export async function payOut(
  { app, sandbox }: Pick<DemoContext, 'app' | 'sandbox'>,
  id: string,
): Promise<void> {
  const later = () => sandbox.moveTo(sandbox.clock.now().getTime() + MINUTE_MS);
  // A decision can be undone for some seconds.
  await later();
  await app.runJob('withdrawals.pay');
  for (let check = 0; check < PAYOUT_CHECKS; check++) {
    await later();
    await app.runJob('withdrawals.ask', { id });
    const found = await app.deps.pool.query('select status from withdrawal where id = $1', [id]);
    if (found.rows[0]?.status !== 'PROCESSING') return;
  }
}
