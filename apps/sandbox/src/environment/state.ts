/** Everything the sandbox remembers between two runs. Money is whole minor units (satang, hundredths of a credit). */

export interface ClockState {
  offsetMs: number;
  /** The virtual time of a stopped clock, or null while it runs. */
  frozenAtMs: number | null;
}

export interface Settings {
  /** How long a payout takes in automatic mode. */
  payoutDelayMs: number;
  /** manual: a payout waits until it is paid or rejected on the bank's back office page. */
  payoutMode: 'auto' | 'manual';
  /** Time between two tries of one confirmation. */
  confirmationIntervalMs: number;
  /** How long a bet on a match stays open. */
  matchMs: number;
}

export const DEFAULT_SETTINGS: Settings = {
  payoutDelayMs: 1500,
  payoutMode: 'auto',
  confirmationIntervalMs: 12_000,
  matchMs: 10_000,
};

export interface Person {
  id: string;
  name: string;
  /** Canonical: digits with one leading zero. */
  phone: string;
  createdAtMs: number;
}

/** Owner of the product's own accounts, as saved snapshots name it. */
export const COMPANY_OWNER = 'house';

/** `ownerId` is a person, COMPANY_OWNER, or 'other' for accounts without a known holder. */
export interface Account {
  bankCode: string;
  accountNo: string;
  name: string;
  ownerId: string;
  openingMinor: bigint;
  balanceMinor: bigint;
}

export interface BankLine {
  id: string;
  atMs: number;
  /** `<bank code>:<account number>` */
  accountKey: string;
  /** Signed: positive into the account. */
  amountMinor: bigint;
  balanceMinor: bigint;
  kind: 'bill-payment' | 'transfer' | 'payout';
  counterName: string;
  counterKey: string;
  /** Reference 1 of a bill, our payout reference, or the bank's own for a transfer. */
  reference: string;
  /** The bank's own reference; both sides of one movement share it. */
  transRef: string;
}

export interface CreatedQr {
  reference1: string;
  reference2: string;
  amountMinor: bigint;
  payload: string;
  atMs: number;
}

export interface Payment {
  transactionId: string;
  transRef: string;
  fromKey: string;
  billerId: string;
  amountMinor: bigint;
  reference1: string;
  reference2: string;
  atMs: number;
}

/** A merchant's request to a payment gateway. */
export interface GatewayPayment {
  gateway: 'ww' | 'zapman';
  paymentId: string;
  /** The merchant's. */
  reference: string;
  amountMinor: bigint;
  qrText: string;
  expiresAtMs: number;
  callbackUrl: string;
  isCancelled: boolean;
}

/** What one wallet has taken out of a gift. */
export interface GiftTicket {
  phone: string;
  name: string;
  amountMinor: bigint;
  atMs: number;
}

/** A gift envelope of the mobile wallet. */
export interface GiftVoucher {
  code: string;
  ownerPhone: string;
  amountMinor: bigint;
  /** R: random parts; F: equal ones. */
  kind: 'R' | 'F';
  /** What each taker gets, in the order of taking; fixed when the gift is made. */
  partsMinor: bigint[];
  createdAtMs: number;
  expiresAtMs: number;
  tickets: GiftTicket[];
}

export interface ConfirmationTry {
  atMs: number;
  /** HTTP status, or null when no answer came. */
  status: number | null;
  outcome: string;
  acknowledged: boolean;
}

export interface Confirmation {
  transRef: string;
  tries: ConfirmationTry[];
  acknowledged: boolean;
  /** Held back so that a later confirmation overtakes it. */
  held: boolean;
  /** The next try was already struck by a fault that postponed it, and is not struck again. */
  postponed: boolean;
}

export interface Payout {
  payoutId: string;
  reference: string;
  amountMinor: bigint;
  bankCode: string;
  accountNo: string;
  accountName: string;
  state: 'ACCEPTED' | 'PAID' | 'REJECTED';
  reason?: string;
  acceptedAtMs: number;
  settledAtMs?: number;
}

export interface Message {
  id: string;
  sender: string;
  /** Canonical phone number. */
  phone: string;
  text: string;
  parts: number;
  state: 'QUEUED' | 'DELIVERED' | 'FAILED';
  sentAtMs: number;
  /** Every arrival on the phone; a resend or a fault may make more than one. */
  arrivedAtMs: number[];
}

/** A browser subscribed to the push service. */
export interface PushBrowser {
  id: string;
  /** Whose it is: canonical phone number. */
  phone: string;
  /** The only sender it takes messages from; null: any. */
  senderKey: string | null;
  p256dh: string;
  auth: string;
  privateKey: string;
  isGone: boolean;
  /** `text` is null for what was not encrypted for it. */
  arrivals: { atMs: number; topic: string | null; text: string | null }[];
}

export interface Agent {
  creditMinor: bigint;
  openingMinor: bigint;
}

export interface Player {
  agent: string;
  username: string;
  password: string;
  balanceMinor: bigint;
  /** Balance before the latest change; what a stale answer shows. */
  previousMinor: bigint;
  createdAtMs: number;
  /** Oldest first. */
  roundIds: string[];
}

export interface GameTransfer {
  agent: string;
  ref: string;
  username: string;
  amountMinor: bigint;
  balanceMinor: bigint;
  atMs: number;
}

export interface Round {
  id: string;
  agent: string;
  username: string;
  game: 'reels' | 'match' | 'digits';
  stakeMinor: bigint;
  /** What came back, stake included; 0 until settled or when lost. */
  payoutMinor: bigint;
  /** reels: three symbols; match: home or away; digits: two digits. */
  pick: string;
  drawn: string;
  state: 'OPEN' | 'SETTLED';
  openedAtMs: number;
  settledAtMs?: number;
}

export interface Ticket {
  agent: string;
  username: string;
  lang: string;
  returnUrl: string;
  expiresAtMs: number;
}

export interface GameSession {
  agent: string;
  username: string;
  returnUrl: string;
}

export type TaskKind = 'settle-payout' | 'confirm' | 'pay-qr' | 'transfer' | 'settle-match' | 'deliver-sms';

/** Something that will happen at a virtual time; `subject` names what it is about. */
export interface Task {
  id: string;
  dueMs: number;
  kind: TaskKind;
  subject: string;
}

export const FAULT_KINDS = [
  'delay',
  'refuse',
  '429',
  '500',
  'cut-before',
  'cut-after',
  'malformed',
  'wrong-signature',
  'duplicate',
  'late',
  'reordered',
  'wrong-amount',
  'stale-balance',
  'outage',
  'masked-digits',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
/** Everybody outside whom a fault may strike. */
export const PARTIES = [
  'bank-a',
  'sms',
  'game-f',
  'game-j',
  'ww',
  'zapman',
  'gift',
  'bank-b',
  'slip',
  'push',
] as const;
export type Party = (typeof PARTIES)[number];

export interface Fault {
  id: string;
  party: Party;
  kind: FaultKind;
  call?: string;
  agent?: string;
  /** Game username or phone number. */
  member?: string;
  reference?: string;
  /** How many more times it strikes; absent: until cleared. */
  count?: number;
  /** Chance from 0 to 1 each time; absent: always. */
  chance?: number;
  ms?: number;
  /** The party's own refusal code, for kind refuse. */
  code?: number | string;
  struck: number;
}

export interface State {
  /** Four words of the generator, or null while chance comes from the system. */
  random: [number, number, number, number] | null;
  seed: number | null;
  counters: Map<string, number>;
  clock: ClockState;
  settings: Settings;
  persons: Map<string, Person>;
  accounts: Map<string, Account>;
  lines: BankLine[];
  tokens: Map<string, number>;
  qrs: Map<string, CreatedQr>;
  payments: Map<string, Payment>;
  confirmations: Map<string, Confirmation>;
  gatewayPayments: Map<string, GatewayPayment>;
  vouchers: Map<string, GiftVoucher>;
  payouts: Map<string, Payout>;
  messages: Map<string, Message>;
  smsCredit: number;
  browsers: Map<string, PushBrowser>;
  agents: Map<string, Agent>;
  players: Map<string, Player>;
  gameTransfers: Map<string, GameTransfer>;
  rounds: Map<string, Round>;
  tickets: Map<string, Ticket>;
  gameSessions: Map<string, GameSession>;
  /** What statements and balances show falsely, by `party:reference`: another amount, or null for a line left out. */
  misprints: Map<string, bigint | null>;
  tasks: Task[];
  faults: Fault[];
}

/** Creates an empty state: no persons, no events. */
export const emptyState = (): State => ({
  random: null,
  seed: null,
  counters: new Map(),
  clock: { offsetMs: 0, frozenAtMs: null },
  settings: { ...DEFAULT_SETTINGS },
  persons: new Map(),
  accounts: new Map(),
  lines: [],
  tokens: new Map(),
  qrs: new Map(),
  payments: new Map(),
  confirmations: new Map(),
  gatewayPayments: new Map(),
  vouchers: new Map(),
  payouts: new Map(),
  messages: new Map(),
  smsCredit: 10_000,
  browsers: new Map(),
  agents: new Map(),
  players: new Map(),
  gameTransfers: new Map(),
  rounds: new Map(),
  tickets: new Map(),
  gameSessions: new Map(),
  misprints: new Map(),
  tasks: [],
  faults: [],
});
