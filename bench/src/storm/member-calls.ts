/** What members do in a storm: every money call, in any order, with what happens outside. */
import { pause } from './server.ts';

export interface StormMember {
  phone: string;
  accountNo: string;
  token: string;
}

export interface Storm {
  url: string;
  sandboxUrl: string;
  /** Answers by their code, for the tally. */
  tally: Map<string, number>;
}

/** Games of both dialects. */
export const GAMES = ['betflix', 'areaslot', 'pg', 'askmebet'] as const;
const QR_MAKERS = ['KBANK', 'WW', 'ZAPMAN'] as const;

const below = (limit: number): number => Math.floor(Math.random() * limit);
const pick = <T>(some: readonly T[]): T => some[below(some.length)]!;
const baht = (least: number, most: number): number => least + below((most - least) * 100) / 100;

/** One call of the sandbox's control API. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
export async function control(storm: Storm, path: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${storm.sandboxUrl}/control/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return reply.json();
}

let serial = 0;

// biome-ignore-start lint/suspicious/noExplicitAny: whatever came back is looked at
/** One call of a member, tried again under its key while the server is away, as the app does. */
export async function call(
  storm: Storm,
  member: StormMember | null,
  name: string,
  body?: object | FormData,
): Promise<any> {
  // biome-ignore-end lint/suspicious/noExplicitAny: whatever came back is looked at
  const [method, path] = name.split(' ') as [string, string];
  const key = `storm-${++serial}`;
  for (let tries = 0; tries < 40; tries++) {
    const reply = await fetch(storm.url + path, {
      method,
      headers: {
        'x-requested-with': 'wallet-user',
        'idempotency-key': key,
        ...(member ? { authorization: `Bearer ${member.token}` } : {}),
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    const answer = (await reply?.json().catch(() => null)) as { message?: string } | null;
    const isAway = answer?.message === 'PROVIDER_UNAVAILABLE' && tries > 0;
    if (reply && answer && (reply.status < 500 || isAway)) {
      const word = reply.ok ? 'ok' : (answer.message ?? String(reply.status));
      const title = `${method} ${path.replace(/\/(betflix|areaslot|pg|askmebet|KBANK|WW|ZAPMAN)$/, '')} ${word}`;
      storm.tally.set(title, (storm.tally.get(title) ?? 0) + 1);
      return answer;
    }
    await pause(150);
  }
  storm.tally.set(`${name} gave up`, (storm.tally.get(`${name} gave up`) ?? 0) + 1);
  return null;
}

async function payByQr(storm: Storm, member: StormMember): Promise<void> {
  const maker = pick(QR_MAKERS);
  const amount = baht(100, 400);
  const qr = await call(storm, member, `POST /api/qrcode/${maker}`, { amount });
  if (!qr?.payload) return;
  if (below(6) === 0) await call(storm, member, `DELETE /api/qrcode/${maker}`);
  const { phone } = member;
  const wrong = below(8) === 0 ? { amount: baht(50, 500) } : {};
  await control(storm, 'pay-qr', { payload: qr.payload, phone, times: below(8) === 0 ? 2 : 1, ...wrong });
}

async function transferToHouse(storm: Storm, member: StormMember): Promise<void> {
  const to = pick([
    { toBank: 'SCB', toAccount: '2223334445' },
    { toBank: 'KBANK', toAccount: '3334445556' },
  ]);
  await control(storm, 'transfer', { phone: member.phone, ...to, amount: baht(20, 300) });
}

async function handInSlip(storm: Storm, member: StormMember): Promise<void> {
  const kind = pick(['good', 'good', 'good', 'reused', 'edited-amount', 'wrong-receiver']);
  const wish = { phone: member.phone, toBank: 'SCB', toAccount: '2223334445', amount: baht(20, 300), kind };
  const slip = await control(storm, 'slip', { ...wish, format: 'jpeg' });
  if (!slip.image) return;
  for (let times = below(4) === 0 ? 2 : 1; times > 0; times--) {
    const form = new FormData();
    form.set('file', new Blob([Buffer.from(slip.image, 'base64')], { type: 'image/jpeg' }), 'slip.jpg');
    await call(storm, member, 'POST /api/wallet/slip', form);
  }
}

async function takeGift(storm: Storm, member: StormMember): Promise<void> {
  const voucher = await control(storm, 'vouchers', { amount: baht(2, 200), receivers: 1 + below(3) });
  if (voucher.link) await call(storm, member, 'POST /api/wallet/truelink', { link: voucher.link });
}

async function moveMoney(storm: Storm, member: StormMember): Promise<void> {
  const [from, to] = below(2) ? ['wallet', pick(GAMES)] : [pick(GAMES), pick(['wallet', ...GAMES])];
  await call(storm, member, 'POST /api/wallet/transfer', { from, to, amount: baht(10, 200) });
}

async function playRounds(storm: Storm, member: StormMember): Promise<void> {
  const agent = pick(GAMES);
  const account = await call(storm, member, `GET /api/wallet/account/${agent}`);
  if (account?.username)
    await control(storm, 'play', {
      agent,
      username: account.username,
      stake: 1 + below(5),
      rounds: 1 + below(4),
    });
}

const ACTS: [weight: number, act: (storm: Storm, member: StormMember) => Promise<unknown>][] = [
  [5, payByQr],
  [3, transferToHouse],
  [3, handInSlip],
  [3, takeGift],
  [8, moveMoney],
  [4, playRounds],
  [2, (storm, member) => call(storm, member, `GET /api/wallet/activate/${pick(GAMES)}`)],
  [2, (storm, member) => call(storm, member, 'GET /api/wallet/refresh/slot')],
  [
    1,
    (storm, member) =>
      call(storm, member, 'POST /api/wallet/transferAll', { to: pick(['wallet', ...GAMES]) }),
  ],
  [2, (storm, member) => call(storm, member, 'POST /api/wallet/withdraw', { amount: baht(100, 300) })],
  [2, (storm, member) => call(storm, member, 'POST /api/wallet/withdrawAll', { amount: baht(100, 500) })],
];
/** Each act as often as it weighs. */
const LOTS = ACTS.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

/** One random act of a member; what goes wrong outside is part of it. */
export async function act(storm: Storm, member: StormMember): Promise<void> {
  await pick(LOTS)(storm, member);
}
