import { fromMinor } from '@krapao/contract/shared';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refreshAll } from '../games/read.ts';
import { requireMayPlay } from '../limits/read.ts';
import { type BonusDeps, type Holder, keysOf, TRIES } from './deps.ts';
import {
  type BonusRow,
  countReceived,
  findBacking,
  findOffered,
  hasActiveRun,
  readWhole,
} from './queries.ts';
import { awardOf } from './terms.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Reads every game afresh; false when something moved meanwhile. Throws PROVIDER_UNAVAILABLE when one is silent. */
async function readAfresh(deps: BonusDeps, member: Holder): Promise<boolean> {
  const readings = await refreshAll(deps, member);
  if (readings.some((reading) => reading.silent)) throw new Refusal('PROVIDER_UNAVAILABLE');
  return readings.every((reading) => reading.ok);
}

interface Grant {
  bonus: BonusRow;
  depositId: string | null;
  qualifying: bigint;
  granted: bigint;
  total: bigint;
}

type Deposit = { id: string; amount: bigint };

/** The deposit that would back the bonus now, if it needs one. */
function backingOf(deps: BonusDeps, member: Holder, bonus: BonusRow): Promise<Deposit | undefined> {
  const { deposit_min: min, deposit_max: max } = bonus;
  if (min === null) return Promise.resolve(undefined);
  const since = new Date(deps.clock.now().getTime() - deps.settings.get('bonus.depositHours') * HOUR_MS);
  return findBacking(deps.pool, member.id, { since, min, max });
}

/** What the bonus grants now. Throws BONUS_DEPOSIT_REQUIRED with the range when no deposit backs it. */
async function grantOf(
  deps: BonusDeps,
  member: Holder,
  bonus: BonusRow,
  { deposit, total }: { deposit: Deposit | undefined; total: bigint },
): Promise<Grant> {
  const { deposit_min: min, deposit_max: max } = bonus;
  if (min === null) return { bonus, depositId: null, qualifying: 0n, granted: awardOf(bonus, 0n), total };
  const qualifying = deposit && deposit.amount < total ? deposit.amount : total;
  const granted = awardOf(bonus, qualifying);
  if (deposit && granted > 0n) return { bonus, depositId: deposit.id, qualifying, granted, total };
  // The same wish, a moment earlier, may have used it.
  if (await hasActiveRun(deps.pool, member.id)) throw new Refusal('BONUS_ALREADY_ACTIVE');
  const money = (minor: bigint | null) => (minor === null ? null : fromMinor(minor, member.currency));
  throw new Refusal('BONUS_DEPOSIT_REQUIRED', { min: money(min), max: money(max) });
}

/** Grants the money and starts the run in one transaction; false when what it was worked out on has changed. */
async function post(deps: BonusDeps, member: Holder, grant: Grant): Promise<boolean> {
  const { bonus, granted } = grant;
  const now = deps.clock.now();
  const id = newId('BN', now);
  const outcome = await deps.ledger.post({
    reference: `bonus:${id}:start`,
    kind: 'bonus_granted',
    memberId: member.id,
    legs: [
      {
        from: await deps.house('bonus_cost', member.currency),
        to: member.walletAccount,
        amountMinor: granted,
      },
    ],
    companion: {
      name: 'bonus_start',
      values: [
        id,
        member.id,
        member.walletAccount,
        bonus.kind,
        bonus.id,
        bonus.version,
        bonus.title.th,
        grant.depositId,
        grant.qualifying,
        granted,
        bonus.success_percent,
        bonus.fail_percent,
        bonus.turnover_percent,
        bonus.games && JSON.stringify(bonus.games),
        bonus.withdraw_max,
        new Date(now.getTime() + bonus.days * DAY_MS),
        grant.total,
        bonus.received_since,
      ],
    },
    exclusive: [...keysOf(member.id), ...(bonus.quota === null ? [] : [`bonus ${bonus.id}`])],
  });
  if (outcome.state === 'posted') return true;
  if (outcome.state !== 'refused') throw new Error(`bonus start ended as ${outcome.state}`);
  if (outcome.body.message === 'STALE') return false;
  throw new Refusal(outcome.body.message as 'BONUS_REMAINING');
}

async function requireOffer(deps: BonusDeps, member: Holder, code: string): Promise<BonusRow> {
  const bonus = await findOffered(deps.pool, deps.clock.now(), member.currency, code);
  if (!bonus) throw new Refusal('NO_DATA');
  await requireMayPlay(deps, member);
  if (await hasActiveRun(deps.pool, member.id)) throw new Refusal('BONUS_ALREADY_ACTIVE');
  if ((await countReceived(deps.pool, member.id, bonus.id, bonus.received_since)) >= bonus.max_received)
    throw new Refusal('BONUS_MAX_CLAIMED');
  return bonus;
}

/**
 * Receives a bonus and starts its run, once however often it is asked at the same time. Throws what keeps it from
 * starting; PROVIDER_UNAVAILABLE when a game is silent, or when money moves all the while.
 */
export async function startRun(deps: BonusDeps, member: Holder, code: string): Promise<BonusRow> {
  for (let time = 0; time < TRIES; time++) {
    const bonus = await requireOffer(deps, member, code);
    const isFresh = await readAfresh(deps, member);
    // Before the rest is looked at: a withdrawal made meanwhile is then seen as what it is.
    const deposit = await backingOf(deps, member, bonus);
    const { total, remains } = await readWhole(deps.pool, member.id, bonus.games);
    if (remains) throw new Refusal('BONUS_REMAINING');
    if (!isFresh) continue;
    if (await post(deps, member, await grantOf(deps, member, bonus, { deposit, total }))) return bonus;
  }
  throw new Refusal('PROVIDER_UNAVAILABLE', undefined, 'money kept moving');
}
