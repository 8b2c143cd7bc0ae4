import { MINUTE_MS } from '@krapao/contract/durations';
import type { SlipReason } from '@krapao/contract/shared';
import type { SlipFacts } from '../../../outside/index.ts';
import { type Hours, minutesOutside } from '../../lookups/read.ts';
import { compareAccounts, compareHolders, compareNames } from '../matching/masks.ts';
import { isOwnAccount } from '../matching/own-accounts.ts';
import type { CandidateRow, OwnAccountRow } from '../matching/queries.ts';

/** What a slip's transfer is held against. */
export interface Grounds {
  /** The reference on the slip. */
  transRef: string;
  uploadedAt: Date;
  /** A slip is taken so long after the transfer, not counting the hours in which none is. */
  windowMinutes: number;
  closedHours: readonly Hours[];
  ownAccounts: readonly OwnAccountRow[];
  member: Pick<CandidateRow, 'bank_code' | 'account_name' | 'currency'>;
  memberAccountNo: string;
  /** Our code of the sending bank; undefined when unknown. */
  senderBank: string | undefined;
}

/** Definitely wrong, or certain except for `doubts`; `account` is ours that received. `isLate`: older than the window. */
export type Judgement =
  | { reason: SlipReason }
  | { account: OwnAccountRow | null; doubts: string[]; isLate: boolean };

/** Clocks of banks and ours may differ by so much. */
const AHEAD_MINUTES = 10;

function receiverOf(facts: SlipFacts, ownAccounts: readonly OwnAccountRow[]) {
  const { bank, account, name } = facts.receiver;
  const ours = ownAccounts.filter((row) => bank === '' || bank === row.bot_code || bank === row.bank_code);
  const saying = (outcome: string) =>
    ours.filter((row) => compareAccounts(account, row.account_no) === outcome);
  const sure = saying('match');
  // Without its bank, four visible digits fit the accounts of anyone.
  const one = bank !== '' && sure.length === 1 ? sure[0]! : null;
  const isWhole = one !== null && account.replace(/[\s-]/g, '') === one.account_no;
  const isNamed = one?.account_names.some((known) => compareHolders(name, known) === 'match') ?? false;
  return {
    isPossible: sure.length > 0 || saying('unsure').length > 0,
    account: one,
    isOurs: isWhole || isNamed,
  };
}

/**
 * Judges the transfer behind a slip: received by us, sent by this member, in their currency, not too old. What banks
 * mask is a mismatch, never guessed. Four visible digits can be those of another account, so without the whole number the
 * receiver's name is compared too; another name than ours is for an operator, because it may only be written differently.
 */
export function judge(facts: SlipFacts, grounds: Grounds): Judgement {
  const { isPossible, account, isOurs } = receiverOf(facts, grounds.ownAccounts);
  if (!isPossible) return { reason: 'INVALID_DESTINATION_ACCOUNT' };
  if (account && account.currency !== grounds.member.currency)
    return { reason: 'INVALID_DESTINATION_ACCOUNT' };
  const { account: from, name } = facts.sender;
  // Money that we move between our own accounts is no deposit, even of a member who registered one of them.
  if (isOwnAccount(grounds.ownAccounts, { bankCode: grounds.senderBank, account: from, name }))
    return { reason: 'ACCOUNT_NOT_MATCH' };
  const sender = {
    bank: grounds.senderBank === grounds.member.bank_code ? 'match' : 'mismatch',
    account: compareAccounts(facts.sender.account, grounds.memberAccountNo),
    name: compareNames(facts.sender.name, grounds.member.account_name),
  };
  const findings = Object.entries(sender);
  if (findings.some(([, outcome]) => outcome === 'mismatch')) return { reason: 'ACCOUNT_NOT_MATCH' };
  const { uploadedAt, windowMinutes, closedHours } = grounds;
  const aheadMinutes = (facts.paidAt.getTime() - uploadedAt.getTime()) / MINUTE_MS;
  const age = minutesOutside(closedHours, facts.paidAt, uploadedAt, windowMinutes);
  const doubts = [
    ...(account ? [] : ['receiver']),
    ...(account && !isOurs ? ['receiver name'] : []),
    ...findings.filter(([, outcome]) => outcome === 'unsure').map(([what]) => `sender ${what}`),
    ...(aheadMinutes > AHEAD_MINUTES ? ['time'] : []),
    ...(facts.transRef === grounds.transRef ? [] : ['reference']),
  ];
  return { account, doubts, isLate: age > windowMinutes };
}
