import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';
import {
  TRANSFER_DECISIONS,
  TRANSFER_RESPONSES,
  type TransferDecision,
  type TransferResponse,
} from './transfer-decision.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, rowStatus, transfers } = gameHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** Both dialects: their calls, and how each words a refusal. */
const DIALECTS = [
  {
    party: 'game-f',
    slot: 'betflix',
    order: 'transfer',
    status: 'transfer-status',
    codes: { refused: 2002, duplicate: 2006, absent: 2004 },
    unlisted: 9500,
  },
  {
    party: 'game-j',
    slot: 'pg',
    order: 'deposit',
    status: 'transaction',
    codes: { refused: 'AGENT_EMPTY', duplicate: 'REFERENCE_USED', absent: 'NO_TRANSACTION' },
    unlisted: 'IN_PROGRESS',
  },
] as const;
type Dialect = (typeof DIALECTS)[number];
type Moment = keyof typeof TRANSFER_DECISIONS;

interface Case {
  dialect: Dialect;
  member: TestMember;
  id: string;
}

const CREDITS = 4_000n;

const strike = ({ dialect, member }: Pick<Case, 'dialect' | 'member'>, kind: string, code?: unknown) =>
  env.fault({ party: dialect.party, call: dialect.order, member: `kp${member.id}`, count: 1, kind, code });
const strikeStatus = ({ dialect, id }: Case, kind: string, code?: unknown) =>
  env.fault({ party: dialect.party, call: dialect.status, reference: id, count: 1, kind, code });

/** Sends 40 credits into the game with a fault on the order's call. */
async function send(dialect: Dialect, kind?: string, code?: unknown): Promise<Case> {
  const member = await env.member({ amountMinor: 100_000n });
  await open(member, dialect.slot);
  if (kind) await strike({ dialect, member }, kind, code);
  await transfer(member, 'wallet', dialect.slot, 40);
  const [last] = (await transfers(member)).slice(-1);
  return { dialect, member, id: last!.id };
}

/** Makes the provider do the transfer, as a call of ours that arrived. */
async function arrive({ dialect, member, id }: Case): Promise<void> {
  const { rows } = await env.pool.query('select adapter, agent from slot where code = $1', [dialect.slot]);
  const provider = env.app.deps.providerOf(rows[0]);
  await provider.transfer({ username: `kp${member.id}`, credits: CREDITS, reference: id });
}

/** The fault or deed that makes a status call give an answer. */
async function prepare(one: Case, response: TransferResponse): Promise<void> {
  if (response === 'done') await arrive(one);
  else if (response === 'unclear') await strikeStatus(one, 'outage');
  else await strikeStatus(one, 'refuse', one.dialect.codes[response]);
}

const ORDER_FAULT: Record<TransferResponse, string | undefined> = {
  done: undefined,
  refused: 'refuse',
  duplicate: 'refuse',
  absent: 'refuse',
  unclear: 'cut-before',
};

const set = (one: Case, assignments: string) =>
  env.owner.query(`update provider_transfer set ${assignments} where id = $1`, [one.id]);

async function run(dialect: Dialect, moment: Moment, response: TransferResponse): Promise<Case> {
  if (moment === 'order') {
    const code = dialect.codes[response as 'refused'];
    return send(dialect, ORDER_FAULT[response], code);
  }
  const isReleased = moment === 'status after release';
  const one = await send(dialect, isReleased ? 'refuse' : 'cut-before');
  if (isReleased) await set(one, "watched_since = now() - interval '2 minutes'");
  else if (moment === 'status within the grace')
    // The grace must not end while the cell is tested.
    await set(one, "asked = 1, sent_at = now() + interval '1 minute'");
  else await set(one, "asked = 1, sent_at = now() - interval '1 minute'");
  await prepare(one, response);
  await env.app.runJob(isReleased ? 'transfers.watch' : 'transfers.resolve', { id: one.id });
  return one;
}

const EXPECTED: Record<TransferDecision, { status: string; balance: bigint; alerts: number }> = {
  book: { status: 'SUCCESS', balance: 96_000n, alerts: 0 },
  release: { status: 'FAILED', balance: 100_000n, alerts: 0 },
  check: { status: 'PENDING', balance: 96_000n, alerts: 0 },
  alert: { status: 'FAILED', balance: 100_000n, alerts: 1 },
};

describe.each(DIALECTS)('$party', (dialect) => {
  describe.each(Object.keys(TRANSFER_DECISIONS) as Moment[])(
    'the answer to a transfer at the %s',
    (moment) => {
      test.each(
        TRANSFER_RESPONSES.map((response) => [response, TRANSFER_DECISIONS[moment][response]] as const),
      )('%s: %s', async (response, decision) => {
        const one = await run(dialect, moment, response);
        const { rows } = await env.pool.query(
          "select count(*)::int as alerts from alert where kind = 'transfer-contradicts' and subject = $1",
          [`transfer:${one.id}`],
        );
        const seen = {
          status: await rowStatus(one.id),
          balance: await env.balance(one.member),
          alerts: rows[0].alerts,
        };
        const isStill = moment === 'status after release' && decision === 'check';
        expect(seen).toEqual(isStill ? EXPECTED.release : EXPECTED[decision]);
      });
    },
  );

  test('an error whose code is not in the list of refusals proves nothing: the provider may still do the transfer', async () => {
    const one = await send(dialect, 'refuse', dialect.unlisted);
    expect(await rowStatus(one.id)).toBe('PENDING');
    await arrive(one);
    await env.app.runJob('transfers.resolve', { id: one.id });
    expect([await rowStatus(one.id), await env.balance(one.member)]).toEqual(['SUCCESS', 96_000n]);
  });
});
