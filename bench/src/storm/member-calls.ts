/** Actions of members in a storm: every money call, in any order, with the payments and play that belong to it. */
import type { Site } from '../installation.ts';
import { pause } from '../server.ts';
import type { Responses } from './responses.ts';

export interface StormMember {
  phone: string;
  accountNo: string;
  token: string;
}

/** The servers that members call, and the recorded responses. */
export interface Storm {
  place: Pick<Site, 'urls' | 'control'>;
  responses: Responses;
}

/** Games of both dialects. */
export const GAMES = ['betflix', 'areaslot', 'pg', 'askmebet'] as const;
const QR_MAKERS = ['KBANK', 'WW', 'ZAPMAN'] as const;

/** How long a member tries. */
const PATIENCE_MS = 120_000;

const below = (limit: number): number => Math.floor(Math.random() * limit);
const pick = <T>(some: readonly T[]): T => some[below(some.length)]!;
const baht = (least: number, most: number): number => least + below((most - least) * 100) / 100;

/** Some amounts repeat, by this channel and by others: a report then has an ambiguous match. */
const depositAmount = (): number => (below(4) === 0 ? pick([100, 200]) : baht(20, 300));

let serial = 0;

async function readJson(reply: Response): Promise<Record<string, unknown> | null> {
  return (await reply.json().catch(() => null)) as Record<string, unknown> | null;
}

/**
 * Makes one call of a member, repeated under its key at any of the servers until a final response, as the app does
 * behind a load balancer. Returns null without one within two minutes.
 */
export async function call(
  { place, responses }: Storm,
  member: StormMember | null,
  name: string,
  body?: object | FormData,
  // biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
): Promise<any> {
  const [method, path] = name.split(' ') as [string, string];
  const key = `storm-${++serial}`;
  const end = Date.now() + PATIENCE_MS;
  for (let tries = 0; Date.now() < end; tries++) {
    const reply = await fetch(pick(place.urls) + path, {
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
    const response = reply && (await readJson(reply));
    // Anything but our own absence is said of a partner: PROVIDER_UNAVAILABLE, GAME_ACTIVATION_FAIL.
    const isPartners = typeof response?.message === 'string' && response.message !== 'INTERNAL_SERVER_ERROR';
    if (reply && response && (reply.status < 500 || (isPartners && tries > 0))) {
      responses.final(name, reply, response);
      return response;
    }
    if (reply && reply.status >= 500 && !isPartners) responses.away(name, reply, response);
    await pause(150);
  }
  responses.givenUp(name);
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
  await storm.place.control('pay-qr', {
    payload: qr.payload,
    phone,
    times: below(8) === 0 ? 2 : 1,
    ...wrong,
  });
}

async function transferToCompany(storm: Storm, member: StormMember): Promise<void> {
  const to = pick([
    { toBank: 'SCB', toAccount: '2223334445' },
    { toBank: 'KBANK', toAccount: '3334445556' },
  ]);
  await storm.place.control('transfer', { phone: member.phone, ...to, amount: depositAmount() });
}

async function submitSlip(storm: Storm, member: StormMember): Promise<void> {
  const kind = pick(['good', 'good', 'good', 'reused', 'edited-amount', 'wrong-receiver']);
  const intent = {
    phone: member.phone,
    toBank: 'SCB',
    toAccount: '2223334445',
    amount: depositAmount(),
    kind,
  };
  const slip = await storm.place.control('slip', { ...intent, format: 'jpeg' });
  if (!slip.image) return;
  for (let times = below(4) === 0 ? 2 : 1; times > 0; times--) {
    const form = new FormData();
    form.set('file', new Blob([Buffer.from(slip.image, 'base64')], { type: 'image/jpeg' }), 'slip.jpg');
    await call(storm, member, 'POST /api/wallet/slip', form);
  }
}

async function takeGift(storm: Storm, member: StormMember): Promise<void> {
  const voucher = await storm.place.control('vouchers', { amount: baht(2, 200), receivers: 1 + below(3) });
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
    await storm.place.control('play', {
      agent,
      username: account.username,
      stake: 1 + below(5),
      rounds: 1 + below(4),
    });
}

/** With a chance, the bank refuses a later order for it: mostly a repeat, after a first order that was lost or is late. */
async function withdraw(storm: Storm, member: StormMember, name: string): Promise<void> {
  const response = await call(storm, member, name, { amount: baht(60, 400) });
  if (!response?.id || below(4) === 0) return;
  await pause(1_500);
  const fault = { party: 'bank-a', call: 'payout', kind: 'refuse', code: pick([4090, 4001, 4001]) };
  await storm.place.control('faults', { ...fault, reference: response.id, count: 1 + below(2) });
}

const CALLS: [weight: number, make: (storm: Storm, member: StormMember) => Promise<unknown>][] = [
  [5, payByQr],
  [3, transferToCompany],
  [3, submitSlip],
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
  [3, (storm, member) => withdraw(storm, member, 'POST /api/wallet/withdraw')],
  [3, (storm, member) => withdraw(storm, member, 'POST /api/wallet/withdrawAll')],
];
/** Each as often as it weighs. */
const DRAWN = CALLS.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));

/** Makes one random call of a member, with the payments or play that belong to it. */
export async function callAtRandom(storm: Storm, member: StormMember): Promise<void> {
  await pick(DRAWN)(storm, member);
}
