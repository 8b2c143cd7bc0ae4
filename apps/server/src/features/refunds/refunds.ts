import { refunds } from '@krapao/contract/member';
import { fromMinor, type RefusalsOf } from '@krapao/contract/shared';
import { openMemberAccount } from '../../ledger/index.ts';
import type { Declare } from '../../platform/http/declare.ts';
import type { JobSet } from '../../platform/jobs.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { type BonusDeps, grantRun, type Holder } from '../bonuses/read.ts';
import { requireMayEnter } from '../games/read.ts';
import { type RefundDeps, readStanding, requireReceivable, type Standing } from './figures.ts';
import { refundReceivedItem } from './ledger.ts';
import { addUp, listBehind, listPeriods, readRefundBalance } from './queries.ts';

/** What a statement calls the money. */
const LABEL = 'คืนยอดเสีย';
/** How often it is worked out again because money moved meanwhile. */
const TRIES = 5;

/** Closes the period in one transaction; false when what it was worked out on has changed. */
async function post(deps: BonusDeps, member: Holder, standing: Standing): Promise<boolean> {
  const account = { memberId: member.id, kind: 'refund_purse', asset: member.currency } as const;
  const outcome = await deps.ledger.post(
    refundReceivedItem(standing, {
      memberId: member.id,
      cost: await deps.systemAccount('refund_cost', member.currency),
      refundBalance: await openMemberAccount(deps.pool, account, deps.clock.now()),
      dayMax: deps.settings.get('refund.dayMax'),
    }),
  );
  return outcome.state === 'posted';
}

/** Books the refund of the period to the refund balance, once for simultaneous calls; returns its minor units. */
async function receive(
  refuse: Refuse<RefusalsOf<typeof refunds.receiveRefund>>,
  deps: RefundDeps,
  member: Holder,
): Promise<bigint> {
  for (let time = 0; time < TRIES; time++) {
    const standing = await readStanding(deps, member, 'receive');
    requireReceivable(refuse, member, standing);
    if (!standing.moved && (await post(deps, member, standing))) return standing.receivable;
  }
  throw refuse('PROVIDER_UNAVAILABLE', undefined, 'balances still changing');
}

/** Moves the refund balance to the wallet under the current terms. */
async function addToWallet(
  refuse: Refuse<RefusalsOf<typeof refunds.addRefundToWallet>>,
  deps: BonusDeps,
  member: Holder,
): Promise<{ granted: bigint; runId: string }> {
  const { settings } = deps;
  const terms = {
    success_percent: settings.get('refund.successPercent'),
    fail_percent: settings.get('refund.failPercent'),
    turnover_percent: 0,
    games: null,
    withdraw_max: null,
    days: settings.get('refund.days'),
  };
  return grantRun(refuse, deps, member, async () => {
    const refundBalance = await readRefundBalance(deps.pool, member.id);
    if (!refundBalance || refundBalance.balance === 0n) throw refuse('NO_REFUND');
    // A refund without terms is the member's own money; one that must be played is refused to excluded members.
    if (terms.success_percent > 0) await requireMayEnter(refuse, deps, member);
    return {
      kind: 'refund',
      label: LABEL,
      terms,
      from: refundBalance.id,
      entryKind: 'bonus_refund',
      refusals: { BONUS_ALREADY_ACTIVE: 'REFUND_CONDITION', BONUS_REMAINING: 'REFUND_CONDITION' },
      grant: async () => ({ granted: refundBalance.balance }),
    };
  });
}

/** Serves the refund of losses, and its two steps. */
export function refundCalls(declare: Declare, deps: RefundDeps): void {
  const { pool, settings, clock } = deps;
  declare(refunds.checkRefund, async ({ member }) => {
    const { figures, percent, receivable, reason, most } = await readStanding(deps, member, 'look');
    const money = (minor: bigint) => fromMinor(minor, member.currency);
    return {
      result: reason === null,
      bonus: figures.has_run,
      info: {
        from: figures.from_at.toISOString(),
        to: clock.now().toISOString(),
        deposits: money(figures.deposits),
        withdrawals: money(figures.withdrawals),
        opening: money(figures.opening),
        balance: money(figures.balance),
        loss: money(figures.loss),
        percent,
        receivable: money(receivable),
        received: money(figures.refund_balance),
      },
      refundAmount: money(receivable + figures.refund_balance),
      refundSuccess: settings.get('refund.successPercent'),
      refundFail: settings.get('refund.failPercent'),
      reason,
      most: reason === 'BALANCE' && most !== null ? money(most) : null,
    };
  });
  declare(refunds.receiveRefund, async ({ member, refuse }) => ({
    message: 'REFUND_SUCCESS' as const,
    amount: fromMinor(await receive(refuse, deps, member), member.currency),
  }));
  declare(refunds.addRefundToWallet, async ({ member, refuse }) => {
    const { granted, runId } = await addToWallet(refuse, deps, member);
    return {
      message: 'REFUND_SUCCESS' as const,
      amount: fromMinor(granted, member.currency),
      statementId: runId,
    };
  });
  declare(refunds.listRefunds, async ({ member, body }) => {
    const { rows, total } = await listPeriods(pool, member.id, body);
    const refunds = rows.map((row) => ({
      refundAmount: fromMinor(row.amount, member.currency),
      createdAt: row.to_at.toISOString(),
      from: row.from_at.toISOString(),
      loss: fromMinor(row.loss, member.currency),
      percent: row.percent,
    }));
    return { refunds, total };
  });
}

/** Members checked in one minute, and the number of postings from which theirs are summed in advance. */
const LOOK = 5_000;
const FAR_BEHIND = 2_000n;

/** Sums long histories before their members' requests, so that these are fast. */
export function refundJobs(deps: Pick<BonusDeps, 'pool'>): JobSet {
  let after = 0n;
  return {
    tasks: {
      'refunds.addUp': async () => {
        const members = await listBehind(deps.pool, after, LOOK);
        after = members.length < LOOK ? 0n : members.at(-1)!.id;
        for (const { id, behind } of members) if (behind >= FAR_BEHIND) while (!(await addUp(deps.pool, id)));
      },
    },
    everyMinute: ['refunds.addUp'],
  };
}
