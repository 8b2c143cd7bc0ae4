import type { Pool } from '../platform/database/db.ts';
import type { LedgerItem, Outcome } from './item.ts';
import { postBatch, type Waiting } from './sender.ts';

export { LedgerFault } from './sender.ts';

/** Thrown when the queue is full; the HTTP layer responds with 503 and Retry-After. */
export class LedgerBusy extends Error {}

/** The only entry point of the ledger. */
export interface Ledger {
  /**
   * Decides one item and resolves after its transaction has committed. Items wait while a batch is in flight and are
   * then sent together; each is decided on its own, in arrival order. A repeat is safe: the same reference posts
   * once. Rejects with LedgerBusy, LedgerFault, or the database's error when the outcome is unknown.
   */
  post(item: LedgerItem): Promise<Outcome>;
  /** The number of waiting items. */
  waiting(): number;
  /** Age in ms of the oldest undecided item; 0 when there is none. */
  oldestWaitMs(): number;
  /** Resolves when nothing is queued or in flight; later posts are refused. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  pool: Pool;
  now: () => Date;
  /** Called after each commit that may have written to the outbox. Only attached writes do. */
  onCommit?: () => void;
  batchMax?: number;
  queueMax?: number;
}

/** Keys of an item that must be unique within a batch. */
function keysOf(item: LedgerItem): string[] {
  const keys = [`ref ${item.reference}`, ...(item.exclusive ?? [])];
  if (item.hold) keys.push(`hold ${item.hold.key}`);
  if (item.saved) keys.push(`key ${item.saved.memberId} ${item.saved.call} ${item.saved.key}`);
  return keys;
}

/**
 * A batch takes half of a queue that is longer than this: while the database decides it, the server handles the calls
 * of the batch before.
 */
const HALVED_FROM = 32;

interface Queued extends Waiting {
  /** Monotonic time in ms. */
  queuedAtMs: number;
}

/** Takes up to `max` items in arrival order. An item waits behind an earlier one that shares a key. */
function takeBatch(queue: readonly Queued[], max: number): { taken: Queued[]; left: Queued[] } {
  const taken: Queued[] = [];
  const left: Queued[] = [];
  const used = new Set<string>();
  let at = 0;
  for (; at < queue.length && taken.length < max; at++) {
    const waiting = queue[at]!;
    const keys = keysOf(waiting.item);
    const free = !keys.some((key) => used.has(key));
    for (const key of keys) used.add(key);
    (free ? taken : left).push(waiting);
  }
  return { taken, left: left.concat(queue.slice(at)) };
}

/** Creates the ledger on a pool whose role may call `ledger_post_batch`. */
export function createLedger(options: LedgerOptions): Ledger {
  const { batchMax = 200, queueMax = 4000 } = options;
  let queue: Queued[] = [];
  let inFlight: readonly Queued[] = [];
  let running = false;
  let closed = false;
  let idle: (() => void)[] = [];

  async function run(): Promise<void> {
    running = true;
    // Everything that arrived in this turn of the event loop joins the first batch.
    await new Promise((resume) => setImmediate(resume));
    while (queue.length > 0) {
      const half = Math.max(HALVED_FROM, Math.ceil(queue.length / 2));
      const { taken, left } = takeBatch(queue, Math.min(batchMax, half));
      queue = left;
      inFlight = taken;
      const away = await postBatch(options, taken);
      // The database is unreachable: items that were never sent are rejected now.
      if (away) for (const waiting of queue.splice(0)) waiting.reject(away);
    }
    inFlight = [];
    running = false;
    for (const resume of idle) resume();
    idle = [];
  }

  return {
    post(item) {
      if (closed || queue.length >= queueMax) return Promise.reject(new LedgerBusy('ledger queue'));
      return new Promise((resolve, reject) => {
        queue.push({ item, unknownAt: [], resolve, reject, queuedAtMs: performance.now() });
        if (!running) void run();
      });
    },
    waiting: () => queue.length,
    oldestWaitMs() {
      // An item that waits behind a shared key may be older than the batch in flight.
      const oldest = Math.min(
        ...[inFlight[0], queue[0]].map((item) => item?.queuedAtMs ?? Number.POSITIVE_INFINITY),
      );
      return Math.max(0, performance.now() - oldest);
    },
    async close() {
      closed = true;
      if (running) await new Promise<void>((resume) => idle.push(resume));
    },
  };
}
