import { DAY_MS } from '@krapao/contract/durations';
import type { RunKind } from '@krapao/contract/shared';
import type {
  AttachedWrite,
  BonusStartRow,
  LedgerItem,
  OperatorActionRow,
  SavedResponse,
} from '../../ledger/index.ts';
import { keysOf } from './deps.ts';
import type { RunRow, RunTerms } from './queries.ts';

/** The ledger items of a bonus run: its start, which grants the money, and its end, which may take some back. */

/** What is granted: minor units, and of the deposit behind it what is bound. */
export interface Grant {
  granted: bigint;
  deposit?: { id: string; qualifying: bigint };
}

/** The fields of every offer about the run it starts. */
export interface RunOffer {
  kind: RunKind;
  /** What its statement rows call it where the reader's language has no name for it. */
  label: string;
  terms: RunTerms;
  /** Account the money comes from. */
  from: bigint;
  /** Begins with `bonus_`: other money received by a wallet counts as added to a run. */
  entryKind: `bonus_${string}`;
  bonus?: { id: bigint; version: number; receivedSince: Date | null };
  /** Keys beyond the member's own under which items must not meet in a batch. */
  exclusive?: string[];
  /** The write that commits with the run instead of its start alone; it must guard and write `run` too. */
  attached?(run: BonusStartRow, grant: Grant): AttachedWrite;
  /** The response that the transaction of the start stores under the caller's key. */
  saved?: SavedResponse | undefined;
}

interface Start {
  id: string;
  member: { id: bigint; walletAccount: bigint };
  at: Date;
  grant: Grant;
  /** Everything the member had when the grant was worked out, minor units. */
  total: bigint;
}

/** Grants the money of an offer and starts its run. */
export function runStartItem(offer: RunOffer, { id, member, at, grant, total }: Start): LedgerItem {
  const { terms, bonus } = offer;
  const run: BonusStartRow = {
    id,
    memberId: member.id,
    walletAccount: member.walletAccount,
    kind: offer.kind,
    bonusId: bonus?.id ?? null,
    bonusVersion: bonus?.version ?? null,
    label: offer.label,
    depositId: grant.deposit?.id ?? null,
    qualifying: grant.deposit?.qualifying ?? 0n,
    granted: grant.granted,
    successPercent: terms.success_percent,
    failPercent: terms.fail_percent,
    turnoverPercent: terms.turnover_percent,
    games: terms.games && JSON.stringify(terms.games),
    withdrawMax: terms.withdraw_max,
    expiresAt: new Date(at.getTime() + terms.days * DAY_MS),
    seenTotal: total,
    receivedSince: bonus?.receivedSince ?? null,
  };
  return {
    reference: `bonus:${id}:start`,
    kind: offer.entryKind,
    memberId: member.id,
    legs: [{ from: offer.from, to: member.walletAccount, amountMinor: grant.granted }],
    attached: offer.attached?.(run, grant) ?? { name: 'bonus_start', row: run },
    ...(offer.saved ? { saved: offer.saved } : {}),
    exclusive: [...keysOf(member.id), ...(offer.exclusive ?? [])],
  };
}

/** How a run has ended, and what was taken away. */
export interface RunEnd {
  state: 'SUCCESS' | 'FAILED' | 'FORFEITED' | 'EXPIRED';
  takenMinor: bigint;
}

interface Ending {
  run: RunRow;
  end: RunEnd;
  /** Id of the statement row about what was taken. */
  rowId: string;
  walletAccount: bigint;
  /** The system account that gets back what is taken. */
  cost: bigint;
  endedBy: 'member' | 'system' | 'operator';
  /** The operator's action; null when no operator decided it. */
  action: OperatorActionRow | null;
}

/** Ends a run, with or without taking money back. */
export function runEndItem({ run, end, rowId, walletAccount, cost, endedBy, action }: Ending): LedgerItem {
  const ending = {
    runId: run.id,
    rowId,
    state: end.state,
    taken: end.takenMinor,
    standing: run.standing,
    turnover: run.turnover,
    endedBy,
  };
  return {
    reference: `bonus:${run.id}:end`,
    kind: 'bonus_taken',
    memberId: run.member_id,
    legs: end.takenMinor > 0n ? [{ from: walletAccount, to: cost, amountMinor: end.takenMinor }] : [],
    attached: action
      ? { name: 'operator_bonus_end', row: { action, ending } }
      : { name: 'bonus_end', row: ending },
    exclusive: keysOf(run.member_id),
  };
}
