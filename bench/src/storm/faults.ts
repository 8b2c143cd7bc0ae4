/** Faults of partners during a storm. */

interface Fault {
  party: string;
  call?: string;
  kind: string;
  chance: number;
  ms?: number;
}

/** How late orders arrive: after the time-out; after the repeat; after the grace of a refused repeat. */
export const LATE_ORDER_MS = [4_000, 15_000, 25_000] as const;

const BROKEN_CONNECTIONS = ['bank-a', 'game-f', 'game-j', 'ww', 'zapman', 'gift', 'slip', 'bank-b'].flatMap(
  (party) =>
    ['cut-before', 'cut-after', '500', 'malformed', '429'].map((kind) => ({ party, kind, chance: 0.03 })),
);

const NOTICES = { 'bank-a': 'confirmation', ww: 'callback', zapman: 'callback' };
const WRONG_NOTICES = Object.entries(NOTICES).flatMap(([party, call]) =>
  ['duplicate', 'wrong-signature', 'reordered', 'wrong-amount'].map((kind) => ({
    party,
    call,
    kind,
    chance: 0.1,
  })),
);

const WITH_AMOUNTS = {
  'bank-a': ['payout', 'payout-status'],
  'game-f': ['transfer', 'transfer-status'],
  'game-j': ['deposit', 'withdraw', 'transaction'],
};
const WRONG_AMOUNTS = Object.entries(WITH_AMOUNTS).flatMap(([party, calls]) =>
  calls.map((call) => ({ party, call, kind: 'wrong-amount', chance: 0.08 })),
);

/** All of them, each with its chance at every exchange it can strike. */
export const FAULTS: readonly Fault[] = [
  // Delays strike besides the others; these come first so that a wrong amount is not hidden by a broken line.
  ...LATE_ORDER_MS.map((ms) => ({ party: 'bank-a', call: 'payout', kind: 'delay', ms, chance: 0.1 })),
  ...WRONG_AMOUNTS,
  ...WRONG_NOTICES,
  ...BROKEN_CONNECTIONS,
  { party: 'bank-a', call: 'settle-payout', kind: 'refuse', chance: 0.1 },
];
