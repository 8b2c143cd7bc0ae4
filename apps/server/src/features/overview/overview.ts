import { overview } from '@krapao/contract/operator';
import {
  CURRENCY_DECIMALS,
  currenciesOf,
  decimalToMinor,
  fromMinor,
  normalisePhone,
} from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool, Reads } from '../../platform/database/db.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { maskedPhone } from '../../platform/masks.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { countAlertsFor } from '../alerts/read.ts';
import { countApprovals } from '../approvals/read.ts';
import { countWaitingChats } from '../chat/read.ts';
import { countReviewed, sumDeposited } from '../deposits/read.ts';
import { countUnknownTransfers } from '../games/read.ts';
import { countSubmitted } from '../kyc/read.ts';
import { accountFingerprints, accountView, visibleDigits } from '../members/read.ts';
import { countReports, countUnmatched } from '../unmatched/read.ts';
import { countWithdrawals, sumPaid } from '../withdrawals/read.ts';
import { dayStart } from './day-start.ts';
import { type Clue, type FoundRow, findByClue } from './queries.ts';
import { readSetup } from './setup.ts';

export interface OverviewDeps {
  pool: Pool;
  reads: Reads;
  config: Config;
  clock: Clock;
  secrets: Secrets;
  settings: Settings;
}

interface WaitingRow {
  count: number;
  oldest: Date | null;
}

const waiting = ({ count, oldest }: WaitingRow) => ({
  count,
  oldest: oldest?.toISOString() ?? null,
});

type Waiting = Static<typeof overview.readToday.reply>['waiting'];

/** How each queue is counted, and the permission for its page. */
const QUEUES: Record<
  keyof Waiting,
  [permission: string, count: (deps: OverviewDeps, operator: Operator) => Promise<WaitingRow>]
> = {
  withdrawals: ['withdrawal.read', ({ pool }) => countWithdrawals(pool)],
  unmatched: ['unmatched.read', ({ pool }) => countUnmatched(pool)],
  reports: ['unmatched.read', ({ pool }) => countReports(pool)],
  slips: ['slip.read', ({ pool }) => countReviewed(pool)],
  kyc: ['member.kyc', ({ pool }) => countSubmitted(pool)],
  transfers: ['transfer.read', ({ pool }) => countUnknownTransfers(pool)],
  approvals: ['approval.read', ({ pool, clock }) => countApprovals(pool, clock.now())],
  chats: ['chat.read', ({ pool, clock }) => countWaitingChats(pool, clock.now())],
  alerts: ['today.read', ({ pool }, operator) => countAlertsFor(pool, operator)],
};

/** Counts the queues that the operator may open; null for the others. */
async function countQueues(deps: OverviewDeps, operator: Operator): Promise<Waiting> {
  const counted = Object.entries(QUEUES).map(async ([name, [permission, count]]) => {
    if (!operator.permissions.has(permission)) return [name, null];
    return [name, waiting(await count(deps, operator))];
  });
  return Object.fromEntries(await Promise.all(counted)) as Waiting;
}

async function readToday(deps: OverviewDeps, operator: Operator) {
  const { pool } = deps;
  const now = deps.clock.now();
  const since = dayStart(now);
  const [queues, deposited, paid] = await Promise.all([
    countQueues(deps, operator),
    sumDeposited(pool, since),
    sumPaid(pool, since),
  ]);
  const currencies = currenciesOf(deps.config.variant);
  const cash = currencies.map((currency) => {
    const [came, went] = [deposited, paid].map((sums) => sums.find((sum) => sum.currency === currency));
    return {
      currency,
      in: fromMinor(came?.amount ?? 0n, currency),
      inCount: came?.count ?? 0,
      out: fromMinor(went?.amount ?? 0n, currency),
      outCount: went?.count ?? 0,
    };
  });
  return { waiting: queues, cash, now: now.toISOString() };
}

/** What each kind of find needs leave for. */
const KINDS: [FoundRow['kind'], string][] = [
  ['member', 'member.read'],
  ['withdrawal', 'withdrawal.read'],
  ['deposit', 'deposit.read'],
  ['slip', 'slip.read'],
  ['report', 'unmatched.read'],
  ['unmatched', 'unmatched.read'],
  ['transfer', 'transfer.read'],
  ['error', 'member.read'],
];

async function clueOf(deps: OverviewDeps, typed: string): Promise<Clue> {
  const text = typed.trim();
  const figure = text.replaceAll(',', '');
  return {
    text,
    phone: normalisePhone(text, deps.config.variant) ?? text,
    fingerprints: await accountFingerprints(deps, text),
    digits: await visibleDigits(deps, text),
    baht: decimalToMinor(figure, CURRENCY_DECIMALS.BAHT),
    kip: decimalToMinor(figure, CURRENCY_DECIMALS.LAK),
  };
}

/** Answers the day at a glance, and finding anything. */
export function overviewCalls(declare: OperatorDeclare, deps: OverviewDeps): void {
  declare(overview.readToday, ({ operator }) => readToday(deps, operator));
  declare(overview.readSetup, () => readSetup(deps));
  declare(overview.find, async ({ query, operator }) => {
    const clue = await clueOf(deps, query.q);
    const kinds = KINDS.filter(([, permission]) => operator.permissions.has(permission));
    const found = await Promise.all(kinds.map(([kind]) => findByClue(deps.reads, kind, clue)));
    return {
      found: found.flat().map((row) => ({
        kind: row.kind,
        id: row.id,
        title: row.title,
        amount: row.amount === null || row.currency === null ? null : fromMinor(row.amount, row.currency),
        currency: row.currency,
        state: row.state,
        at: row.at?.toISOString() ?? null,
        memberId: row.member_id ?? null,
        phone: row.phone === undefined ? null : maskedPhone(row.phone),
        account: accountView(deps, row),
        call: row.call ?? null,
      })),
    };
  });
}
