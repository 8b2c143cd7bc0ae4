import { Worker } from 'node:worker_threads';
import type { Reading, ThreadWord } from './reading.ts';

/** Too many pictures wait already, or none can be read for now; the caller answers 503. */
export class ImagesBusy extends Error {}

export interface Images {
  /** Reads a picture of any origin, bounded in time, memory and pixels. Throws ImagesBusy past the queue, or without a thread. */
  read(bytes: Uint8Array): Promise<Reading>;
  close(): Promise<void>;
}

interface Waiting {
  bytes: Uint8Array;
  resolve: (reading: Reading) => void;
  reject: (error: ImagesBusy) => void;
}

const HEAP_MB = 128;
/** A thread loads its libraries within this, on a machine that does much else at the time. */
const BEGIN_WITHIN_MS = 30_000;

/** Begins a thread; tells what it says, and once when it has ended. */
function startThread(
  onWord: (thread: Worker, word: ThreadWord) => void,
  onEnd: (thread: Worker) => void,
): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  thread.on('message', (word: ThreadWord) => onWord(thread, word));
  thread.on('error', () => undefined);
  thread.on('exit', () => onEnd(thread));
  return thread;
}

/**
 * Reads pictures one at a time in a thread that is thrown away when a picture takes too long or ends it. The thread
 * starts with the first picture, on which no time is counted before the thread is ready.
 */
export function createImages({ queueMax = 60, bytesMax = 100_000_000, timeoutMs = 4000 } = {}): Images {
  const queue: Waiting[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let current: Waiting | null = null;
  let timer: NodeJS.Timeout | undefined;

  const finish = (outcome: Reading | ImagesBusy) => {
    clearTimeout(timer);
    if (outcome instanceof ImagesBusy) current?.reject(outcome);
    else current?.resolve(outcome);
    current = null;
    worker?.unref();
    next();
  };
  const giveUpAfter = (ms: number, outcome: Reading | ImagesBusy) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const late = worker;
      worker = null;
      finish(outcome);
      void late?.terminate();
    }, ms);
  };
  const handOver = () => {
    if (!current) return;
    giveUpAfter(timeoutMs, { ok: false, why: 'TIME' });
    worker?.postMessage(current.bytes);
  };
  const hear = (thread: Worker, word: ThreadWord) => {
    // One that was given up may still have said something: it must not become another picture's reading.
    if (worker !== thread) return;
    if (word !== 'ready') return finish(word);
    isReady = true;
    handOver();
  };
  const gone = (thread: Worker) => {
    if (worker === thread) worker = null;
    if (current && worker === null)
      finish(isReady ? { ok: false, why: 'BROKEN' } : new ImagesBusy('no thread'));
  };
  const next = () => {
    if (current || queue.length === 0) return;
    current = queue.shift()!;
    if (!worker) {
      isReady = false;
      worker = startThread(hear, gone);
    }
    worker.ref();
    if (isReady) handOver();
    else giveUpAfter(BEGIN_WITHIN_MS, new ImagesBusy('no thread'));
  };

  return {
    read(bytes) {
      const bytesWaiting = queue.reduce((sum, waiting) => sum + waiting.bytes.length, bytes.length);
      if (queue.length >= queueMax || bytesWaiting > bytesMax)
        return Promise.reject(new ImagesBusy('pictures'));
      return new Promise((resolve, reject) => {
        queue.push({ bytes, resolve, reject });
        next();
      });
    },
    async close() {
      clearTimeout(timer);
      for (const waiting of queue.splice(0)) waiting.resolve({ ok: false, why: 'TIME' });
      await worker?.terminate();
    },
  };
}
