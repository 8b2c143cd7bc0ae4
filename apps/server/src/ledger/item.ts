/** What a caller hands to the ledger, and what it gets back. */

import type { AttachedRows } from './attached-rows.gen.ts';

export interface Leg {
  /** Ledger account ids of one asset. */
  from: bigint;
  to: bigint;
  amountMinor: bigint;
}

/**
 * Rows that explain an entry and commit with it. `name` is registered in ledger_companion by a routine file of its
 * feature; `row` is what its guard and write function get, as the composite type names it.
 */
export type AttachedWrite = {
  [Name in keyof AttachedRows]: {
    name: Name;
    row: AttachedRows[Name];
    /** Set when it writes nothing to the outbox, which is then not read after the commit. */
    writesNoEvent?: true;
  };
}[keyof AttachedRows];

/** The answer kept for a repeat of the same call under the same key. */
export interface SavedResponse {
  memberId: bigint;
  call: string;
  key: string;
  bodyHash: string;
  /** RUNNING while the call has further steps; `answer` is then what a repeat gets if it never ends. */
  state: 'RUNNING' | 'DONE';
  response: unknown;
}

export interface RefusalBody {
  message: string;
  data?: Record<string, unknown>;
}

/** One item to decide: all legs or none, with its attached write and saved answer. */
export interface LedgerItem {
  /** Unique for ever; a repeat posts nothing. */
  reference: string;
  kind: string;
  memberId?: bigint;
  /** A hold is opened by one leg into the hold account, and later posted or released whole, once. */
  hold?: { op: 'open' | 'post' | 'release'; key: string };
  /** No legs: no entry, only the attached write and the saved answer. */
  legs: readonly Leg[];
  /** Account whose balance and version the outcome reports. */
  watch?: bigint;
  attached?: AttachedWrite;
  saved?: SavedResponse;
  /** A refusal already decided by the caller, to be kept under the key. */
  refusal?: RefusalBody;
  /** Items sharing one of these never meet in a batch, so a guard sees what the earlier one wrote. */
  exclusive?: readonly string[];
}

export type Outcome =
  | { state: 'posted'; entryId: bigint | null; balanceMinor: bigint; version: bigint }
  /** The reference was posted before; nothing changed now. */
  | { state: 'repeated' }
  | { state: 'insufficient' }
  | { state: 'refused'; body: RefusalBody }
  /** The hold was closed before; nothing changed now. */
  | { state: 'hold-closed' }
  /** The idempotency key was used before; read the saved answer. */
  | { state: 'answered' };
