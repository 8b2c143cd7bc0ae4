import type { Pool } from 'pg';
import { encodeBatch, POST_STATEMENT } from './encode.ts';
import type { LedgerItem, Outcome, RefusalBody } from './item.ts';

/** An impossible request: unknown account, mixed assets, a hold that does not fit. A fault of the caller, never of a member. */
export class LedgerFault extends Error {}

/** The queue is full; the caller answers 503 and asks to come back later. */
export class LedgerBusy extends Error {}

/** The one door into the ledger. */
export interface Ledger {
  /**
   * Decides one item and resolves after its transaction has committed. Items wait while a batch is in flight and then
   * leave together; each is decided on its own, in arrival order. Safe to repeat: the same reference posts once.
   * Rejects with LedgerBusy, LedgerFault, or the database's error when the outcome could not be learnt.
   */
  post(item: LedgerItem): Promise<Outcome>;
  /** How many items wait. */
  waiting(): number;
  /** Resolves when nothing is queued or in flight; later posts are refused. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  pool: Pool;
  now: () => Date;
  /** Called after each commit, for those who watch the outbox. */
  onCommit?: () => void;
  batchMax?: number;
  queueMax?: number;
}

interface Waiting {
  item: LedgerItem;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

interface PostRow {
  states: number[];
  entries: (bigint | null)[];
  codes: (string | null)[];
  balances: bigint[];
  versions: bigint[];
}

const RETRY_DELAYS_MS = [100, 400, 1600];

/** Connection lost, server starting or stopping, deadlock: nothing is known, the same references may be sent again. */
function isTransient(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(08|57P|40001|40P01|ECONN|EPIPE|ENOENT|53300)/.test(code) ||
    /terminated|timeout|closed/i.test(String(error))
  );
}

/** Everything of an item that must not meet its equal in one batch. */
function keysOf(item: LedgerItem): string[] {
  const keys = [`ref ${item.reference}`, ...(item.exclusive ?? [])];
  if (item.hold) keys.push(`hold ${item.hold.key}`);
  if (item.saved) keys.push(`key ${item.saved.memberId} ${item.saved.call} ${item.saved.key}`);
  return keys;
}

function outcomeOf(row: PostRow, index: number): Outcome {
  switch (row.states[index]) {
    case 0:
      return {
        state: 'posted',
        entryId: row.entries[index]!,
        balanceMinor: row.balances[index]!,
        version: row.versions[index]!,
      };
    case 1:
      return { state: 'insufficient' };
    case 3:
      return { state: 'repeated' };
    case 4:
      return { state: 'hold-closed' };
    case 5:
      return { state: 'answered' };
    case 6:
      return { state: 'refused', body: JSON.parse(row.codes[index]!) as RefusalBody };
    default:
      throw new LedgerFault('impossible item');
  }
}

/** Opens the door on a pool whose role may call ledger_post. */
export function createLedger(options: LedgerOptions): Ledger {
  const { pool, now, batchMax = 200, queueMax = 4000 } = options;
  let queue: Waiting[] = [];
  let running = false;
  let closed = false;
  let idle: (() => void)[] = [];

  /** Up to batchMax items in arrival order; an item waits behind an earlier one that shares a key with it. */
  function takeBatch(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const used = new Set<string>();
    let at = 0;
    for (; at < queue.length && taken.length < batchMax; at++) {
      const waiting = queue[at]!;
      const keys = keysOf(waiting.item);
      const free = !keys.some((key) => used.has(key));
      for (const key of keys) used.add(key);
      (free ? taken : left).push(waiting);
    }
    queue = left.concat(queue.slice(at));
    return taken;
  }

  async function send(items: readonly LedgerItem[]): Promise<PostRow> {
    const result = await pool.query<PostRow>({
      name: 'ledger_post',
      text: POST_STATEMENT,
      values: encodeBatch(items, now()),
    });
    options.onCommit?.();
    return result.rows[0]!;
  }

  /** One item alone, again while the outcome is unknown. Its reference makes that safe. */
  async function sendAlone(waiting: Waiting): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        waiting.resolve(outcomeOf(await send([waiting.item]), 0));
        return;
      } catch (error) {
        const delayMs = RETRY_DELAYS_MS[attempt];
        if (delayMs === undefined || !isTransient(error)) {
          waiting.reject(error);
          return;
        }
        await new Promise((resume) => setTimeout(resume, delayMs));
      }
    }
  }

  async function flush(batch: Waiting[]): Promise<void> {
    let row: PostRow;
    try {
      row = await send(batch.map((waiting) => waiting.item));
    } catch {
      // One bad item fails the whole transaction; alone, only it fails. Concurrent, so that an outage costs one wait.
      await Promise.all(batch.map(sendAlone));
      return;
    }
    batch.forEach((waiting, index) => {
      try {
        waiting.resolve(outcomeOf(row, index));
      } catch (error) {
        waiting.reject(error);
      }
    });
  }

  async function run(): Promise<void> {
    running = true;
    // Let everything that arrived in this turn of the loop join the first batch.
    await new Promise((resume) => setImmediate(resume));
    while (queue.length > 0) await flush(takeBatch());
    running = false;
    for (const resume of idle) resume();
    idle = [];
  }

  return {
    post(item) {
      if (closed || queue.length >= queueMax) return Promise.reject(new LedgerBusy('ledger queue'));
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        if (!running) void run();
      });
    },
    waiting: () => queue.length,
    async close() {
      closed = true;
      if (running) await new Promise<void>((resume) => idle.push(resume));
    },
  };
}
