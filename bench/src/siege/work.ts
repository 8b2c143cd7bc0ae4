import type { Installation } from '../installation.ts';
import { pause } from '../server.ts';
import type { Figures } from './figures.ts';

/** A member at work. */
export interface Worker {
  phone: string;
  password: string;
}

interface Setup {
  place: Installation;
  figures: Figures;
  /** Whether the phase goes on. */
  isOn(): boolean;
}

let serial = 0;

/** How long a withdrawal may take to be paid before it counts as lost, and a QR payment to be credited. */
const PAID_WITHIN_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
type Body = any;

/** Makes one timed call of a member, repeated after Retry-After as the app does; null when it is refused. */
async function call(
  { place, figures, isOn }: Setup,
  name: string,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object | FormData } = {},
): Promise<Body> {
  const key = `siege-${++serial}`;
  for (;;) {
    const started = performance.now();
    const reply = await fetch(place.url + path, {
      method,
      headers: {
        'x-requested-with': 'wallet-user',
        'idempotency-key': key,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
    }).catch((error: Error) => error);
    figures.responses += 1;
    if (reply instanceof Error) {
      figures.wrong.push(`${name}: ${reply.message}`);
      return null;
    }
    const response = (await reply.json().catch(() => null)) as Body;
    if (reply.ok) {
      figures.time(name, performance.now() - started);
      return response;
    }
    const retryAfter = Number(reply.headers.get('retry-after') ?? Number.NaN);
    if (reply.status !== 503 || Number.isNaN(retryAfter)) {
      figures.wrong.push(`${name}: ${reply.status} ${response?.message}`);
      return null;
    }
    figures.overloaded += 1;
    if (!isOn()) return null;
    await pause(retryAfter * 1000);
  }
}

/** Waits until a query returns a row; returns the time in ms, or null when it never did. */
async function waitFor(setup: Setup, sql: string, values: unknown[]): Promise<number | null> {
  const started = performance.now();
  while (performance.now() - started < PAID_WITHIN_MS) {
    if ((await setup.place.asOwner(sql, values)).length > 0) return performance.now() - started;
    await pause(50);
  }
  return null;
}

async function deposit(setup: Setup, worker: Worker, token: string): Promise<void> {
  const qr = await call(setup, 'make QR', 'POST', '/api/qrcode/KBANK', { token, body: { amount: 300 } });
  if (!qr?.payload) return;
  await setup.place.control('pay-qr', { payload: qr.payload, phone: worker.phone });
  const ms = await waitFor(setup, 'select 1 from deposit where qr_id = $1', [qr.qrcodeId]);
  if (ms === null) setup.figures.wrong.push(`deposit ${qr.qrcodeId} was not credited`);
  else setup.figures.time('payment to credit', ms);
}

async function play(setup: Setup, worker: Worker, token: string): Promise<void> {
  const moved = await call(setup, 'transfer', 'POST', '/api/wallet/transfer', {
    token,
    body: { from: 'wallet', to: 'betflix', amount: 100 },
  });
  if (!moved) return;
  const [account] = await setup.place.asOwner<{ username: string }>(
    "select g.username from game_account g join member m on m.id = g.member_id where m.phone = $1 and g.slot_code = 'betflix'",
    [worker.phone],
  );
  await setup.place.control('play', {
    agent: 'betflix',
    username: account?.username,
    stake: 10,
    rounds: 1,
    result: 'win',
  });
  await call(setup, 'transfer all', 'POST', '/api/wallet/transferAll', { token, body: { to: 'wallet' } });
}

async function withdraw(setup: Setup, token: string): Promise<void> {
  const made = await call(setup, 'withdraw', 'POST', '/api/wallet/withdraw', {
    token,
    body: { amount: 100 },
  });
  if (!made?.id) return;
  setup.figures.acknowledged.push(made.id);
  const sql = "select 1 from withdrawal where id = $1 and status = 'SUCCESS'";
  const ms = await waitFor(setup, sql, [made.id]);
  if (ms === null) setup.figures.wrong.push(`withdrawal ${made.id} was not paid`);
  else setup.figures.time('withdrawal to payout', ms);
}

async function chat(setup: Setup, token: string): Promise<void> {
  const message = { message_type: 'text', payload: { message: 'ถอนเงินเข้าหรือยัง' } };
  await call(setup, 'chat message', 'POST', '/api/chat/send-message', { token, body: { message } });
}

async function submitSlip(setup: Setup, worker: Worker, token: string): Promise<void> {
  const intent = { phone: worker.phone, toBank: 'SCB', toAccount: '2223334445', amount: 21, kind: 'good' };
  const slip = await setup.place.control('slip', { ...intent, format: 'jpeg' });
  if (!slip.image) return;
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(slip.image, 'base64')], { type: 'image/jpeg' }), 'slip.jpg');
  await call(setup, 'slip', 'POST', '/api/wallet/slip', { token, body: form });
}

/** A member's day over and over: log in, pay in, play, withdraw, write to support, hand in a slip. */
export async function workAsMember(setup: Setup, worker: Worker): Promise<void> {
  const known = await setup.place.asOwner(
    "select 1 from game_account g join member m on m.id = g.member_id where m.phone = $1 and g.slot_code = 'betflix'",
    [worker.phone],
  );
  let hasGame = known.length > 0;
  while (setup.isOn()) {
    const login = { username: worker.phone, password: worker.password };
    const session = await call(setup, 'log in', 'POST', '/api/login', { body: login });
    if (!session?.token) {
      await pause(500);
      continue;
    }
    const { token } = session as { token: string };
    if (!hasGame) await call(setup, 'activate game', 'GET', '/api/wallet/activate/betflix', { token });
    hasGame = true;
    await deposit(setup, worker, token);
    await call(setup, 'read wallet', 'GET', '/api/wallet', { token });
    await play(setup, worker, token);
    await withdraw(setup, token);
    await chat(setup, token);
    await submitSlip(setup, worker, token);
    await call(setup, 'statement', 'POST', '/api/statement', { token, body: { page: 1, limit: 20 } });
    await pause(300);
  }
}

/** Samples memory and readiness twice a second. */
export async function watch({ place, figures, isOn }: Setup): Promise<void> {
  while (isOn()) {
    figures.memoryMb = Math.max(figures.memoryMb, place.memoryMb());
    const started = performance.now();
    const reply = await fetch(`${place.url}/readyz`).catch(() => null);
    if (reply?.ok) figures.time('readyz', performance.now() - started);
    figures.readiness[reply?.ok ? 'good' : 'bad'] += 1;
    await pause(500);
  }
}
