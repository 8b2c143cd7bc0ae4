/** Input and outcome types of the ledger. */

import type { AttachedRows } from './attached-rows.gen.ts';

export interface Leg {
  /** Two ledger accounts of one asset and the amount in minor units. */
  from: bigint;
  to: bigint;
  amountMinor: bigint;
}

/**
 * Rows that explain an entry and commit with it. `name` is registered in `ledger_companion` by a routine file of its
 * feature. `row` has the fields of the composite type that its guard and write function take.
 */
export type AttachedWrite = {
  [Name in keyof AttachedRows]: {
    name: Name;
    row: AttachedRows[Name];
    /** True when it writes nothing to the outbox, so the outbox is not read after the commit. */
    writesNoEvent?: true;
  };
}[keyof AttachedRows];

/** The response saved for repeats of the call under the same key. */
export interface SavedResponse {
  memberId: bigint;
  call: string;
  key: string;
  bodyHash: string;
  /**
   * RUNNING, made by `runningResponse`, while the call has further steps. Then `response` is what a repeat builds on if
   * the call never ends.
   */
  state: 'RUNNING' | 'DONE';
  response: unknown;
}

export interface RefusalBody {
  message: string;
  data?: Record<string, unknown>;
}

/** One item to decide: all its legs or none, with its attached write and saved response. */
export interface LedgerItem {
  /** Unique for all time; a repeat posts nothing. */
  reference: string;
  kind: string;
  memberId?: bigint;
  /** A hold is opened by one leg into the hold account and later posted or released once, in full. */
  hold?: { op: 'open' | 'post' | 'release'; key: string };
  /** Without legs there is no entry, only the attached write and the saved response. */
  legs: readonly Leg[];
  /** The account whose balance and version the outcome contains. */
  watch?: bigint;
  attached?: AttachedWrite;
  saved?: SavedResponse;
  /** A refusal that the caller has decided, to be saved under the key. */
  refusal?: RefusalBody;
  /** Items that share a key are never in the same batch, so a guard sees what the earlier item wrote. */
  exclusive?: readonly string[];
}

export type Outcome =
  | { state: 'posted'; entryId: bigint | null; balanceMinor: bigint; version: bigint }
  /** The reference was posted before; nothing changed. */
  | { state: 'repeated' }
  | { state: 'insufficient' }
  | { state: 'refused'; body: RefusalBody }
  /** The hold was closed before; nothing changed. */
  | { state: 'hold-closed' }
  /** The idempotency key was used before; the caller reads the saved response. */
  | { state: 'answered' };
