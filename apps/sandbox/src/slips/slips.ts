/** Slips of transfers: what a bank app would let its customer save, whole or spoilt in one respect. */
import { HOUR_MS } from '@krapao/contract/durations';
import { encodeSlipCode } from '@krapao/contract/shared';
import { accountKey, COMPANY, findAccount } from '../bank/accounts.ts';
import { transfer } from '../bank/payments.ts';
import { bankOnWire } from '../bank/senders.ts';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import type { Account, BankLine } from '../environment/state.ts';
import { accountsOf, addPerson, personByPhone } from '../people.ts';

export const SLIP_KINDS = [
  'good',
  'cropped',
  'blurred',
  'no-qr',
  'broken-qr',
  'not-a-slip',
  'wrong-receiver',
  'other-sender',
  'old',
  'reused',
  'edited-amount',
  'unknown',
] as const;
export type SlipKind = (typeof SLIP_KINDS)[number];

/** What is drawn on a slip. */
export interface Slip {
  kind: SlipKind;
  line: BankLine;
  from: Account;
  to: Account;
  /** Printed, in hundredths; the bank knows the true one. */
  amountMinor: bigint;
  payload: string;
}

const OLD_MS = 2 * HOUR_MS;
/** Somebody who pays where they should not, and somebody whom it reaches. */
const OTHER = { name: 'มานพ ผ่านทาง', phone: '0895559999', bankCode: 'KTB' } as const;

/** The paying side of a movement; both sides share the bank's reference. */
export const paidLine = (environment: Environment, transRef: string): BankLine | undefined =>
  environment.state.lines.find((line) => line.transRef === transRef && line.amountMinor < 0n);

const otherPerson = (environment: Environment) =>
  personByPhone(environment, OTHER.phone) ?? addPerson(environment, { ...OTHER });

/** Makes the transfer that a kind of slip needs; returns the bank's reference or why it cannot be made. */
function makeTransfer(environment: Environment, kind: SlipKind, intent: SlipRequest): string {
  const other = accountsOf(environment, otherPerson(environment).id)[0]!;
  const to =
    kind === 'wrong-receiver'
      ? { toBank: other.bankCode, toAccount: other.accountNo }
      : { toBank: intent.toBank ?? COMPANY.bankCode, toAccount: intent.toAccount ?? COMPANY.accountNo };
  const fromKey = kind === 'other-sender' ? accountKey(other) : intent.fromKey;
  const made = transfer(environment, { fromKey, ...to, amountMinor: intent.amountMinor });
  if (typeof made === 'string') return made;
  return 'transRef' in made ? made.transRef : 'INVALID_ACCOUNT';
}

/** Lets a movement have happened two hours ago. */
function age(environment: Environment, transRef: string): void {
  for (const line of environment.state.lines)
    if (line.transRef === transRef && line.atMs > nowMs(environment) - OLD_MS)
      line.atMs = nowMs(environment) - OLD_MS;
  changed(environment);
}

export interface SlipRequest {
  /** A movement that was made; without it a new transfer is made. */
  transRef?: string;
  fromKey: string;
  toBank?: string;
  toAccount?: string;
  amountMinor: bigint;
}

/** A reference of the right shape that no bank knows. */
const strangeRef = (transRef: string): string => `9${transRef.slice(1)}`;

/** The text of the slip's code: true, damaged, another kind, or naming a transfer that never was. */
function payloadOf(kind: SlipKind, from: Account, transRef: string): string {
  const bot = bankOnWire(from.bankCode);
  const sendingBank = /^\d{3}$/.test(bot) ? bot : '004';
  if (kind === 'not-a-slip') return 'https://example.com/not-a-slip';
  if (kind === 'unknown') return encodeSlipCode({ sendingBank, transRef: strangeRef(transRef) });
  const true_ = encodeSlipCode({ sendingBank, transRef });
  return kind === 'broken-qr' ? `${true_.slice(0, -4)}${true_.endsWith('0000') ? '1111' : '0000'}` : true_;
}

/** The slip of a movement, made first if need be; or why there is none. `reused` is the payer's newest transfer. */
export function slipOf(environment: Environment, kind: SlipKind, intent: SlipRequest): Slip | string {
  const last = () =>
    environment.state.lines.findLast((line) => line.accountKey === intent.fromKey && line.amountMinor < 0n)
      ?.transRef;
  const transRef =
    intent.transRef ?? (kind === 'reused' ? last() : undefined) ?? makeTransfer(environment, kind, intent);
  const line = paidLine(environment, transRef);
  if (!line) return intent.transRef || /^\d/.test(transRef) ? 'UNKNOWN_TRANSFER' : transRef;
  const [from, to] = [findAccount(environment, line.accountKey)!, findAccount(environment, line.counterKey)!];
  if (kind === 'old') age(environment, transRef);
  const paidMinor = -line.amountMinor;
  return {
    kind,
    line,
    from,
    to,
    amountMinor: kind === 'edited-amount' ? paidMinor * 10n : paidMinor,
    payload: payloadOf(kind, from, transRef),
  };
}
