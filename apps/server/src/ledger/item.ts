/** What a caller hands to the ledger, and what it gets back. */

export interface Leg {
  /** Ledger account ids of one asset. */
  from: bigint;
  to: bigint;
  amountMinor: bigint;
}

/** Values of one companion row, in the order of its composite type. */
export type CompanionValue = string | bigint | number | boolean | Date | null;

/** Rows that explain the entry and commit with it; `name` is registered in ledger_companion by a migration. */
export interface Companion {
  name: string;
  values: readonly CompanionValue[];
  /** Its rows leave no word in the outbox, so nobody need look there after the commit. */
  leavesNoWord?: true;
}

/** The answer kept for a repeat of the same call under the same key. */
export interface SavedAnswer {
  memberId: bigint;
  call: string;
  key: string;
  bodyHash: string;
  /** RUNNING while the call has further steps; `answer` is then what a repeat gets if it never ends. */
  state: 'RUNNING' | 'DONE';
  answer: unknown;
}

export interface RefusalBody {
  message: string;
  data?: Record<string, unknown>;
}

/** One thing to decide: all legs or none, with its companion row and saved answer. */
export interface LedgerItem {
  /** Unique for ever; a repeat posts nothing. */
  reference: string;
  kind: string;
  memberId?: bigint;
  /** A hold is opened by one leg into the hold account, and later posted or released whole, once. */
  hold?: { op: 'open' | 'post' | 'release'; key: string };
  /** No legs: no entry, only the companion and the saved answer. */
  legs: readonly Leg[];
  /** Account whose balance and version the outcome reports. */
  watch?: bigint;
  companion?: Companion;
  saved?: SavedAnswer;
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
