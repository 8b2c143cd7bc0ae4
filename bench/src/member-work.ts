import type { MemberEvents } from '@krapao/contract/member';
import { io, type Socket } from 'socket.io-client';
import { addressOf } from './conversation-calls.ts';
import type { Figures } from './figures.ts';
import type { Site } from './installation.ts';
import { pause } from './server.ts';

/** A member at work. */
export interface Worker {
  phone: string;
  password: string;
}

/** Waits for what others do after a member's call. Each returns when it came, as `performance.now()`; null: never. */
export interface Arrivals {
  /** Until the payment of a QR is credited. */
  credited(qrId: string): Promise<number | null>;
  /** Until a withdrawal is paid out. */
  paid(withdrawalId: string): Promise<number | null>;
  /** Until a message is shown on another screen of the member, by the id it was sent under. */
  shown(messageId: string): Promise<number | null>;
  close(): void;
}

interface Phase {
  place: Site;
  figures: Figures;
  /** Whether the phase goes on. */
  isOn(): boolean;
}

interface Day extends Phase {
  /** Begins to watch for arrivals at the start of a member's session. */
  listen(session: { token: string; memberId: string }): Promise<Arrivals>;
}

interface Setup extends Phase {
  arrivals: Arrivals;
}

type Notice = Parameters<MemberEvents['notice']>[0];

let serial = 0;

/** How long a withdrawal may take to be paid before it counts as lost, and a QR payment to be credited. */
const PAID_WITHIN_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
type Body = any;

/** Makes one timed call of a member, repeated after Retry-After as the app does; null when it is refused. */
async function call(
  { place, figures, isOn }: Phase,
  name: string,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object | FormData } = {},
): Promise<Body> {
  const key = `bench-${process.pid}-${++serial}`;
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

/** Arrivals read from the database, for members without a live connection. */
export function arrivalsInDatabase({ asOwner }: Pick<Site, 'asOwner'>): Arrivals {
  async function waitFor(sql: string, id: string): Promise<number | null> {
    const end = performance.now() + PAID_WITHIN_MS;
    while (performance.now() < end) {
      if ((await asOwner(sql, [id])).length > 0) return performance.now();
      await pause(50);
    }
    return null;
  }
  return {
    credited: (qrId) => waitFor('select 1 from deposit where qr_id = $1', qrId),
    paid: (id) => waitFor("select 1 from withdrawal where id = $1 and status = 'SUCCESS'", id),
    shown: (id) => waitFor('select 1 from chat_message where client_id = $1', id),
    close: () => undefined,
  };
}

/** How many addresses connections come from at most. */
const ADDRESSES = 60_000;

/** Opens a live connection from an address of its own: a member's with their token, else a visitor's. */
export function openSocket(url: string, at: number, token?: string): Socket {
  const localAddress = addressOf(at % ADDRESSES);
  return io(url, {
    transports: ['websocket'],
    forceNew: true,
    ...(token ? { auth: { token } } : {}),
    ...(localAddress ? { localAddress } : {}),
  });
}

/** Arrivals as a member's app sees them: by its live connection, whose chat panel is open. */
export async function arrivalsAtSocket(
  url: string,
  { token, memberId }: { token: string; memberId: string },
): Promise<Arrivals> {
  const socket = openSocket(url, Number(memberId), token);
  const arrivedAt = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const arrive = (what: string) => {
    arrivedAt.set(what, performance.now());
    waiting.get(what)?.();
  };
  socket.on('notice', ({ id, status, qrcodeId }: Notice) => {
    if (status === 'SUCCESS') arrive(qrcodeId ? `qr ${qrcodeId}` : `paid ${id}`);
  });
  socket.on('messaging', (item) => arrive(`message ${item.message.deliver.id}`));
  await new Promise<void>((resume, reject) => {
    socket.once('connect', resume);
    socket.once('connect_error', reject);
  });
  socket.emit('join', `krapao-${memberId}`);
  const waitFor = async (what: string): Promise<number | null> => {
    if (!arrivedAt.has(what)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, PAID_WITHIN_MS);
      waiting.set(what, resolve);
      await promise;
      clearTimeout(timer);
      waiting.delete(what);
    }
    return arrivedAt.get(what) ?? null;
  };
  return {
    credited: (qrId) => waitFor(`qr ${qrId}`),
    paid: (id) => waitFor(`paid ${id}`),
    shown: (id) => waitFor(`message ${id}`),
    close: () => void socket.disconnect(),
  };
}

async function deposit(setup: Setup, worker: Worker, token: string): Promise<void> {
  // Payments of one amount at one time are compared with each other; those of real members differ.
  const amount = 300 + (++serial % 700);
  const qr = await call(setup, 'make QR', 'POST', '/api/qrcode/KBANK', { token, body: { amount } });
  if (!qr?.payload) return;
  const paid = performance.now();
  await setup.place.control('pay-qr', { payload: qr.payload, phone: worker.phone });
  const at = await setup.arrivals.credited(qr.qrcodeId);
  if (at === null) setup.figures.wrong.push(`deposit ${qr.qrcodeId} was not credited`);
  else setup.figures.time('payment to credit', at - paid);
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

async function whyUnpaid({ place }: Setup, id: string): Promise<string> {
  const rows = await place.asOwner(
    `select w.status, w.automatic, w.reason, w.risk_score, p.state as payout, p.asked,
       extract(epoch from now() - w.created_at)::int as age_seconds
     from withdrawal w left join payout p on p.withdrawal_id = w.id where w.id = $1`,
    [id],
  );
  return JSON.stringify(rows[0]);
}

async function withdraw(setup: Setup, token: string): Promise<void> {
  const made = await call(setup, 'withdraw', 'POST', '/api/wallet/withdraw', {
    token,
    body: { amount: 100 },
  });
  if (!made?.id) return;
  const held = performance.now();
  setup.figures.acknowledged.push(made.id);
  const at = await setup.arrivals.paid(made.id);
  if (at === null)
    setup.figures.wrong.push(`withdrawal ${made.id} was not paid: ${await whyUnpaid(setup, made.id)}`);
  else setup.figures.time('withdrawal to payout', at - held);
}

async function chat(setup: Setup, token: string): Promise<void> {
  const id = `message-${process.pid}-${++serial}`;
  const message = {
    message_type: 'text',
    payload: { message: 'ถอนเงินเข้าหรือยัง' },
    deliver: { id },
  };
  const sent = performance.now();
  if (!(await call(setup, 'chat message', 'POST', '/api/chat/send-message', { token, body: { message } })))
    return;
  const at = await setup.arrivals.shown(id);
  if (at === null) setup.figures.wrong.push(`message ${id} was not shown`);
  else setup.figures.time('message to screen', at - sent);
}

async function submitSlip(setup: Setup, worker: Worker, token: string): Promise<void> {
  const intent = { phone: worker.phone, toBank: 'SCB', toAccount: '2223334445', amount: 21, kind: 'good' };
  const slip = await setup.place.control('slip', { ...intent, format: 'jpeg' });
  if (!slip.image) return;
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(slip.image, 'base64')], { type: 'image/jpeg' }), 'slip.jpg');
  await call(setup, 'slip', 'POST', '/api/wallet/slip', { token, body: form });
}

/** Most money comes by QR, and few visits have a question: a slip and a message each come once in so many visits. */
const RARELY = 4;

/** A member's visits, one after the other: log in, pay in, play, withdraw, at times write to support or hand in a slip. */
export async function workAsMember(day: Day, worker: Worker): Promise<void> {
  const known = await day.place.asOwner(
    "select 1 from game_account g join member m on m.id = g.member_id where m.phone = $1 and g.slot_code = 'betflix'",
    [worker.phone],
  );
  let hasGame = known.length > 0;
  for (let visit = 0; day.isOn(); visit++) {
    const login = { username: worker.phone, password: worker.password };
    const session = await call(day, 'log in', 'POST', '/api/login', { body: login });
    if (!session?.token) {
      await pause(500);
      continue;
    }
    const { token } = session as { token: string };
    const wallet = await call(day, 'read wallet', 'GET', '/api/wallet', { token });
    const arrivals = await day.listen({ token, memberId: wallet?.profile._id });
    const setup = { ...day, arrivals };
    if (!hasGame) await call(setup, 'activate game', 'GET', '/api/wallet/activate/betflix', { token });
    hasGame = true;
    await deposit(setup, worker, token);
    await play(setup, worker, token);
    await withdraw(setup, token);
    if (visit % RARELY === 2) await chat(setup, token);
    if (visit % RARELY === 0) await submitSlip(setup, worker, token);
    await call(setup, 'statement', 'POST', '/api/statement', { token, body: { page: 1, limit: 20 } });
    arrivals.close();
    await pause(300);
  }
}

/** Samples memory and readiness twice a second. */
export async function watch({ place, figures, isOn }: Phase): Promise<void> {
  while (isOn()) {
    figures.memoryMb = Math.max(figures.memoryMb, place.memoryMb());
    const started = performance.now();
    const reply = await fetch(place.readyzUrl).catch(() => null);
    if (reply?.ok) figures.time('readyz', performance.now() - started);
    figures.readiness[reply?.ok ? 'good' : 'bad'] += 1;
    await pause(500);
  }
}
