import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { holdCall } from '../../../testing/hold.ts';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { GIFT_DECISIONS, GIFT_RESPONSES, type GiftDecision, type GiftResponse } from './decision.ts';

const env = await startTestEnv({ jobs: false });
await env.set('bank.timeoutSeconds', 30);
await env.set('game.timeoutSeconds', 30);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

type Moment = keyof typeof GIFT_DECISIONS;
interface Case {
  member: TestMember;
  code: string;
  link: string;
}

/** How long the service holds up a redemption while another wallet is quicker. */
const HELD_UP_MS = 3_000;
/** Another person with a wallet at the gift service. */
const otherMember = await env.member();

async function voucher(): Promise<Case> {
  const made = await env.control('vouchers', { amount: 50, phone: '0815550142' });
  return { member: await env.member(), ...made };
}

const strike = ({ code }: Case, call: 'look' | 'redeem', kind: string, ms?: number) =>
  env.fault({ party: 'gift', call, kind, reference: code, count: 1, ...(ms ? { ms } : {}) });
const send = ({ member, link }: Case) =>
  env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
const idOf = async ({ code }: Case): Promise<string | undefined> =>
  (await env.pool.query('select id from gift_redemption where code = $1', [code])).rows[0]?.id;
const resolve = async (one: Case) => env.app.runJob('gifts.resolve', { id: await idOf(one) });
const set = (one: Case, assignments: string) =>
  env.owner.query(`update gift_redemption set ${assignments} where code = $1`, [one.code]);

/** Takes the whole voucher with another wallet. */
async function redeemByOtherMember({ code }: Case): Promise<void> {
  const reply = await fetch(`${env.app.deps.config.GIFT_URL}/campaign/vouchers/${code}/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: otherMember.phone, voucher_hash: code }),
  });
  expect(reply.status).toBe(200);
}

/** Acts while the other wallet takes the voucher between our look and our redemption. */
async function whileTaken(one: Case, perform: () => Promise<unknown>): Promise<void> {
  await strike(one, 'redeem', 'delay', HELD_UP_MS);
  const acting = perform();
  await until(async () => {
    const { faults } = await env.control('faults');
    return !faults.some(({ reference }: { reference?: string }) => reference === one.code);
  });
  await redeemByOtherMember(one);
  await acting;
}

/** Makes a redemption give an answer, and redeems. */
async function redeemWith(one: Case, response: GiftResponse, perform: () => Promise<unknown>): Promise<void> {
  if (response === 'closed, proven') return whileTaken(one, perform);
  if (response === 'closed') await strike(one, 'redeem', 'refuse');
  else if (response === 'unclear') await strike(one, 'redeem', '500');
  await perform();
}

/** Makes a look give an answer, and looks. */
async function resolveWith(
  one: Case,
  response: GiftResponse,
  perform: () => Promise<unknown>,
): Promise<void> {
  if (response === 'taken') await env.app.deps.gift!.redeem(one.code);
  else if (response === 'closed, proven') await redeemByOtherMember(one);
  else if (response === 'closed') await strike(one, 'look', 'refuse');
  else if (response === 'unclear') await strike(one, 'look', 'outage');
  await perform();
}

const endGrace = (one: Case) => set(one, "tried_at = now() - interval '1 minute'");

/** Sends the link while the redemption's call never reaches the service. */
async function lose(one: Case): Promise<void> {
  await strike(one, 'redeem', 'cut-before');
  await send(one);
}

const MOMENTS: Record<Moment, (one: Case, response: GiftResponse) => Promise<void>> = {
  'first redemption': (one, response) => redeemWith(one, response, () => send(one)),
  async 'late first redemption'(one, response) {
    const first = holdCall(env.app.deps.gift!, 'redeem');
    const sending = send(one);
    await first.held;
    await set(one, "sent_at = now() - interval '1 minute', tried_at = now() - interval '1 minute'");
    await strike(one, 'redeem', 'cut-before');
    await resolve(one);
    await redeemWith(one, response, async () => {
      first.release(null);
      await sending;
    });
  },
  async 'repeated redemption'(one, response) {
    await lose(one);
    await endGrace(one);
    await redeemWith(one, response, () => resolve(one));
  },
  async 'look within the grace'(one, response) {
    await lose(one);
    // The grace must not end while the cell is tested.
    await set(one, "tried_at = now() + interval '1 minute'");
    await resolveWith(one, response, () => resolve(one));
  },
  async 'look after the grace'(one, response) {
    await lose(one);
    await endGrace(one);
    await resolveWith(one, response, () => resolve(one));
  },
  async 'look after failure'(one, response) {
    await strike(one, 'redeem', 'refuse');
    await send(one);
    await set(one, "watched_since = now() - interval '2 minutes'");
    await resolveWith(one, response, () => env.app.runJob('gifts.watch'));
  },
};

const EXPECTED: Record<GiftDecision, { status: string; balance: bigint; alerts: number }> = {
  book: { status: 'SUCCESS', balance: 5_000n, alerts: 0 },
  fail: { status: 'FAILED', balance: 0n, alerts: 0 },
  check: { status: 'PENDING', balance: 0n, alerts: 0 },
  // The voucher is open and not redeemed elsewhere: the second redemption takes it.
  redeem: { status: 'SUCCESS', balance: 5_000n, alerts: 0 },
  alert: { status: 'FAILED', balance: 0n, alerts: 1 },
};

/** A redemption that ends in a voucher still open is out of shape: the adapter makes it `unclear`. */
const responsesAt = (moment: Moment) =>
  GIFT_RESPONSES.filter((response) => response !== 'open' || moment.startsWith('look'));

describe.each(Object.keys(MOMENTS) as Moment[])('the answer about a gift at the %s', (moment) => {
  test.each(responsesAt(moment).map((response) => [response, GIFT_DECISIONS[moment][response]] as const))(
    '%s: %s',
    async (response, decision) => {
      const one = await voucher();
      await MOMENTS[moment](one, response);
      const { rows } = await env.pool.query(
        `select s.status, (select count(*)::int from alert a where a.kind = 'gift-contradicts' and a.subject = 'gift:' || g.id) as alerts
         from gift_redemption g join statement s on s.id = g.id where g.code = $1`,
        [one.code],
      );
      const seen = { ...rows[0], balance: await env.balance(one.member) };
      const isStill = moment === 'look after failure' && decision === 'check';
      expect(seen).toEqual(isStill ? EXPECTED.fail : EXPECTED[decision]);
    },
  );
});
