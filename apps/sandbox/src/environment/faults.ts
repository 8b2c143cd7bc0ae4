/** Faults: which trouble strikes which exchange. */

import { changed, type Environment, nextNumber } from './environment.ts';
import { drawFraction } from './random.ts';
import type { Fault, FaultKind, Party } from './state.ts';

const GATEWAY_CALLS = ['create-payment', 'payment-status', 'cancel', 'transfers', 'callback'];

/** Calls a fault may name, by party; the last ones of bank-a and sms are the sandbox's own actions. */
export const CALLS: Record<Party, readonly string[]> = {
  'bank-a': [
    'token',
    'create-qr',
    'inquiry',
    'transaction',
    'payout',
    'payout-status',
    'statement',
    'settle-payout',
    'confirmation',
  ],
  'bank-b': ['statement'],
  slip: ['check'],
  sms: ['send', 'status', 'resend', 'credit', 'deliver'],
  'game-f': [
    'register',
    'balance',
    'transfer',
    'transfer-status',
    'password',
    'play',
    'summary',
    'agent-balance',
  ],
  'game-j': ['create', 'credit', 'deposit', 'withdraw', 'transaction', 'password', 'launch', 'rounds'],
  ww: GATEWAY_CALLS,
  zapman: GATEWAY_CALLS,
  gift: ['look', 'redeem', 'redeemed'],
  push: ['send'],
};

/** A signed notice to the product, of any partner. */
const NOTICE: readonly FaultKind[] = [
  'delay',
  'late',
  'refuse',
  '429',
  '500',
  'outage',
  'cut-before',
  'cut-after',
  'malformed',
  'wrong-signature',
  'wrong-amount',
  'duplicate',
  'reordered',
];
const OWN_ACTIONS: Record<string, readonly FaultKind[]> = {
  'settle-payout': ['refuse', 'late'],
  deliver: ['refuse', 'late', 'duplicate'],
  confirmation: NOTICE,
  callback: NOTICE,
};
const ANY_CALL: readonly FaultKind[] = [
  'delay',
  'refuse',
  '429',
  '500',
  'cut-before',
  'cut-after',
  'malformed',
  'outage',
];
const WITH_AMOUNT = [
  'create-payment',
  'payment-status',
  'statement',
  'inquiry',
  'transaction',
  'payout',
  'payout-status',
  'transfer',
  'transfer-status',
  'deposit',
  'withdraw',
];

const WITH_SENDER = ['statement', 'check'];

/** Whether a kind of trouble can strike a call at all. */
export function canStrike(kind: FaultKind, call: string): boolean {
  const own = OWN_ACTIONS[call];
  if (own) return own.includes(kind);
  if (kind === 'wrong-amount') return WITH_AMOUNT.includes(call);
  if (kind === 'stale-balance') return call === 'balance' || call === 'credit';
  if (kind === 'late') return call === 'check';
  if (kind === 'masked-digits') return WITH_SENDER.includes(call);
  return ANY_CALL.includes(kind);
}

/**
 * A fault that names no call affects only calls of the product, except for kinds that exist only in the sandbox's
 * own actions; so `{party:'sms', kind:'refuse'}` refuses sending and does not lose delivery as well.
 */
const meansUnnamed = (kind: FaultKind, call: string): boolean =>
  canStrike(kind, call) && (!OWN_ACTIONS[call] || (!ANY_CALL.includes(kind) && kind !== 'wrong-amount'));

/** Parties whose refusal codes are numbers. */
const NUMBERED: readonly Party[] = ['bank-a', 'slip', 'sms', 'game-f'];

/** Whether a party can answer a code; true without one. */
export const hasCode = (party: Party, code: Fault['code']): boolean =>
  code === undefined || !NUMBERED.includes(party) || /^\d+$/.test(`${code}`);

export interface Exchange {
  party: Party;
  call: string;
  agent?: string;
  member?: string;
  reference?: string;
}

const matches = (fault: Fault, exchange: Exchange): boolean =>
  fault.party === exchange.party &&
  (fault.call === undefined ? meansUnnamed(fault.kind, exchange.call) : fault.call === exchange.call) &&
  (fault.agent === undefined || fault.agent === exchange.agent) &&
  (fault.member === undefined || fault.member.toLowerCase() === exchange.member?.toLowerCase()) &&
  (fault.reference === undefined || fault.reference === exchange.reference);

export interface Trouble {
  /** Real time to hold the exchange up. */
  delayMs: number;
  fault?: Fault;
}

/** Takes the trouble meant for an exchange: every delay, and the first other fault. Counts go down, chance is drawn. */
export function strike(environment: Environment, exchange: Exchange): Trouble {
  const trouble: Trouble = { delayMs: 0 };
  for (const fault of [...environment.state.faults]) {
    if (!matches(fault, exchange) || (fault.kind !== 'delay' && trouble.fault)) continue;
    if (fault.chance !== undefined && drawFraction(environment) >= fault.chance) continue;
    fault.struck++;
    if (fault.count !== undefined && --fault.count <= 0)
      environment.state.faults = environment.state.faults.filter(({ id }) => id !== fault.id);
    if (fault.kind === 'delay') trouble.delayMs += fault.ms ?? 2000;
    else trouble.fault = fault;
    changed(environment);
  }
  return trouble;
}

/** Arms a fault; null when its kind can never strike the call it names. */
export function addFault(environment: Environment, wanted: Omit<Fault, 'id' | 'struck'>): Fault | null {
  const calls =
    wanted.call === undefined
      ? CALLS[wanted.party]
      : CALLS[wanted.party].filter((call) => call === wanted.call);
  if (!calls.some((call) => canStrike(wanted.kind, call))) return null;
  const fault: Fault = { id: `fault-${nextNumber(environment, 'fault')}`, ...wanted, struck: 0 };
  environment.state.faults.push(fault);
  changed(environment);
  return fault;
}

/** Clears one fault by id, or all of them. */
export function clearFaults(environment: Environment, id?: string): void {
  environment.state.faults =
    id === undefined ? [] : environment.state.faults.filter((fault) => fault.id !== id);
  changed(environment);
}
