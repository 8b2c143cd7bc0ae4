import { isConnectionLost } from '../platform/database/away.ts';
import type { Pool } from '../platform/database/db.ts';
import { inSpan } from '../platform/tracing.ts';
import { encodeBatch, POST_STATEMENT } from './encode.ts';
import type { LedgerItem, Outcome, RefusalBody } from './item.ts';

/**
 * Thrown for an impossible item: unknown account, mixed assets, a wrong hold. A programming error, never a member's.
 */
export class LedgerFault extends Error {}

/** An item and the callbacks of the caller that waits for it. */
export interface Waiting {
  item: LedgerItem;
  /** The ledger's time of each sending without a response. */
  unknownAt: Date[];
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

interface PostRow {
  states: (Outcome['state'] | 'impossible')[];
  entries: (bigint | null)[];
  codes: (string | null)[];
  balances: bigint[];
  versions: bigint[];
}

interface SenderOptions {
  pool: Pool;
  now: () => Date;
  onCommit?: (() => void) | undefined;
}

const RETRY_DELAYS_MS = [100, 400, 1600];
/** A database that is silent for this long is not retried; the caller receives the error. */
const RETRY_WITHIN_MS = 4_000;

/** The outcome is unknown, or nothing was done: the same references may be sent again. */
function isTransient(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return isConnectionLost(error) || /^(40001|40P01|53300)/.test(code) || /timeout/i.test(String(error));
}

function outcomeOf(row: PostRow, index: number): Outcome {
  const state = row.states[index]!;
  switch (state) {
    case 'posted':
      return {
        state,
        entryId: row.entries[index]!,
        balanceMinor: row.balances[index]!,
        version: row.versions[index]!,
      };
    case 'refused':
      return { state, body: JSON.parse(row.codes[index]!) as RefusalBody };
    case 'impossible':
      throw new LedgerFault('impossible item');
    default:
      return { state };
  }
}

/** Sends a batch and reads its outcomes. Without a response, its items remember the sending. */
async function send({ pool, now, onCommit }: SenderOptions, batch: readonly Waiting[]): Promise<PostRow> {
  const at = now();
  try {
    const items = batch.map((waiting) => waiting.item);
    const values = encodeBatch(items, at);
    const result = await inSpan('ledger batch', (span) => {
      span.setAttribute('krapao.items', batch.length);
      return pool.query({ name: 'ledger_post_batch', text: POST_STATEMENT, values });
    });
    if (items.some(({ attached }) => attached && !attached.writesNoEvent)) onCommit?.();
    return result.rows[0]!;
  } catch (error) {
    if (isTransient(error)) for (const waiting of batch) waiting.unknownAt.push(at);
    throw error;
  }
}

/**
 * A "repeat" outcome may be of our own sending whose response was lost. Then the entry has that sending's time, and
 * the item counts as posted.
 */
async function ownOutcome(pool: Pool, { item, unknownAt }: Waiting): Promise<Outcome> {
  const { rows } = await pool.query(
    `select e.id, a.balance, a.version from ledger_entry e left join ledger_account a on a.id = $3
     where e.reference = $1 and e.kind = $2 and e.created_at = any($4)`,
    [item.reference, item.kind, item.watch ?? null, unknownAt],
  );
  const [row] = rows;
  if (!row) return { state: 'repeated' };
  return { state: 'posted', entryId: row.id, balanceMinor: row.balance ?? 0n, version: row.version ?? 0n };
}

/**
 * Sends one item alone, again while the outcome is unknown; its reference makes that safe. Returns false when the
 * database is unreachable.
 */
async function sendAlone(options: SenderOptions, waiting: Waiting, started: number): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      const outcome = outcomeOf(await send(options, [waiting]), 0);
      const own = outcome.state === 'repeated' && waiting.unknownAt.length > 0;
      waiting.resolve(own ? await ownOutcome(options.pool, waiting) : outcome);
      return true;
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[attempt];
      const late = performance.now() - started > RETRY_WITHIN_MS;
      if (delayMs === undefined || late || !isTransient(error)) {
        waiting.reject(error);
        return !isTransient(error);
      }
      await new Promise((resume) => setTimeout(resume, delayMs));
    }
  }
}

/**
 * One impossible item fails the whole transaction; sent alone, only it fails. Sent concurrently, so that an outage
 * costs one wait.
 */
async function sendEach(
  options: SenderOptions,
  batch: readonly Waiting[],
  error: unknown,
  started: number,
): Promise<boolean> {
  if (isTransient(error) && performance.now() - started > RETRY_WITHIN_MS) {
    for (const waiting of batch) waiting.reject(error);
    return false;
  }
  return (await Promise.all(batch.map((waiting) => sendAlone(options, waiting, started)))).includes(true);
}

/**
 * Posts a batch and resolves each of its callers after the commit. Returns the error when the database is
 * unreachable, so that waiting items can be rejected.
 */
export async function postBatch(options: SenderOptions, batch: readonly Waiting[]): Promise<unknown> {
  const started = performance.now();
  let row: PostRow;
  try {
    row = await send(options, batch);
  } catch (error) {
    return (await sendEach(options, batch, error, started)) ? null : error;
  }
  batch.forEach((waiting, index) => {
    try {
      waiting.resolve(outcomeOf(row, index));
    } catch (error) {
      waiting.reject(error);
    }
  });
  return null;
}
