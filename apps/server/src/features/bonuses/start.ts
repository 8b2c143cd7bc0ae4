import { HOUR_MS } from '@krapao/contract/durations';
import { type ErrorCode, fromMinor, type Language } from '@krapao/contract/shared';
import type { Refuse } from '../../platform/refusal.ts';
import { requireMayEnter } from '../games/read.ts';
import type { LimitCode } from '../limits/read.ts';
import type { BonusDeps, Holder } from './deps.ts';
import { grantRun } from './grant.ts';
import type { Grant } from './ledger.ts';
import {
  type BonusRow,
  countReceived,
  findBacking,
  findOffered,
  hasActiveRun,
  hasUsedCode,
  isFull,
} from './queries.ts';
import { awardOf } from './run-verdict.ts';

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
  refuse: Refuse<'BONUS_ALREADY_ACTIVE' | 'BONUS_DEPOSIT_REQUIRED'>,
  deps: BonusDeps,
  member: Holder,
  bonus: BonusRow,
  readTotal: () => Promise<bigint>,
): Promise<Grant> {
  // Before the rest is looked at: a withdrawal made meanwhile is then seen as what it is.
  const deposit = await backingOf(deps, member, bonus);
  const total = await readTotal();
  const { deposit_min: min, deposit_max: max } = bonus;
  if (min === null) return { granted: awardOf(bonus, 0n) };
  const qualifying = deposit && deposit.amount < total ? deposit.amount : total;
  const granted = awardOf(bonus, qualifying);
  if (deposit && granted > 0n) return { granted, deposit: { id: deposit.id, qualifying } };
  // The same intent, a moment earlier, may have used it.
  if (await hasActiveRun(deps.pool, member.id)) throw refuse('BONUS_ALREADY_ACTIVE');
  const money = (minor: bigint | null) => (minor === null ? null : fromMinor(minor, member.currency));
  throw refuse('BONUS_DEPOSIT_REQUIRED', { min: money(min), max: money(max) });
}

/**
 * The label stored with the run: its title in the language it is received in. The statement names the run in the reader's
 * language and shows the label only where no such text is left.
 */
const titleOf = ({ title }: BonusRow, language: Language): string => title[language] || title.th;

/** The requested bonus or promotion, and its refusals when it is unknown or received. */
interface Intent<Code extends ErrorCode> extends Pick<BonusRow, 'kind' | 'code'> {
  unknown: Code;
  received: Code;
  /** The version of the terms that the member was shown; without one any is received. */
  version?: number | undefined;
}

/** Codes with which the start of a bonus or promotion is refused. */
type StartCode =
  | LimitCode
  | 'BONUS_ALREADY_ACTIVE'
  | 'BONUS_CHANGED'
  | 'BONUS_DEPOSIT_REQUIRED'
  | 'BONUS_FULL'
  | 'BONUS_REMAINING'
  | 'PROVIDER_UNAVAILABLE';

async function requireOffer<Code extends ErrorCode>(
  refuse: Refuse<StartCode | Code>,
  deps: BonusDeps,
  member: Holder,
  intent: Intent<Code>,
): Promise<BonusRow> {
  const { unknown, received } = intent;
  const bonus = await findOffered(deps.pool, deps.clock.now(), member.currency, intent);
  if (!bonus) {
    const isUsed = intent.kind === 'promotion' && (await hasUsedCode(deps.pool, member.id, intent.code));
    throw refuse(isUsed ? received : unknown);
  }
  await requireMayEnter(refuse, deps, member);
  const count = await countReceived(deps.pool, member.id, bonus.id, bonus.received_since);
  const isReceived = count >= bonus.max_received;
  if (isReceived && bonus.kind === 'promotion') throw refuse(received);
  if (await hasActiveRun(deps.pool, member.id)) throw refuse('BONUS_ALREADY_ACTIVE');
  if (isReceived) throw refuse(received);
  if (await isFull(deps.pool, bonus)) throw refuse('BONUS_FULL');
  if (intent.version !== undefined && intent.version !== bonus.version) throw refuse('BONUS_CHANGED');
  return bonus;
}

/**
 * Receives a bonus or promotion and starts its run, once for any number of concurrent calls. Throws what keeps it from
 * starting; BONUS_CHANGED when its terms are not those shown; PROVIDER_UNAVAILABLE when a game is silent, or when money
 * moves all the while. The run's id is that of its statement row.
 */
export async function startRun<Code extends ErrorCode>(
  refuse: Refuse<StartCode | Code>,
  deps: BonusDeps,
  member: Holder,
  intent: Intent<Code>,
  language: Language,
): Promise<{ bonus: BonusRow; runId: string }> {
  let bonus: BonusRow | undefined;
  const { runId } = await grantRun<StartCode | Code>(refuse, deps, member, async () => {
    const offered = await requireOffer(refuse, deps, member, intent);
    bonus = offered;
    return {
      kind: offered.kind,
      label: titleOf(offered, language),
      terms: offered,
      from: await deps.systemAccount('bonus_cost', member.currency),
      entryKind: 'bonus_granted',
      bonus: { id: offered.id, version: offered.version, receivedSince: offered.received_since },
      exclusive: [
        ...(offered.quota === null ? [] : [`bonus ${offered.id}`]),
        ...(offered.single_codes ? [`code ${intent.code}`] : []),
      ],
      refusals: {
        BONUS_ALREADY_ACTIVE: 'BONUS_ALREADY_ACTIVE',
        BONUS_REMAINING: 'BONUS_REMAINING',
        BONUS_MAX_CLAIMED: intent.received,
        BONUS_FULL: 'BONUS_FULL',
        NO_PROMOTION: intent.unknown,
      },
      grant: (readTotal) => grantOf(refuse, deps, member, offered, readTotal),
      ...(offered.single_codes
        ? { attached: (run) => ({ name: 'promotion_code_start', row: { run, code: intent.code } }) }
        : {}),
    };
  });
  if (!bonus) throw new Error('a run was started without an offer');
  return { bonus, runId };
}
