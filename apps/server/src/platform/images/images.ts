import { Worker } from 'node:worker_threads';
import { type Budget, createBudget, Overloaded } from '../budget.ts';
import type { ImageThreadData, Reading, ThreadMessage } from './reading.ts';

export interface Images {
  /**
   * Reads a picture of any origin, bounded in time, memory and pixels. Throws REQUEST_LIMIT when too many of the
   * caller's wait, Overloaded past the queue, after too long a wait, or without a thread.
   * @param caller whose pictures count together
   */
  read(bytes: Uint8Array, caller: string): Promise<Reading>;
  /** The pictures that wait or are being read, and how often one was refused. */
  budget: Budget;
  close(): Promise<void>;
}

export interface ImageLimits {
  /** What the queue is called in metrics. */
  name?: string;
  /** Pictures that wait, in all. */
  queueMax?: number;
  /** Their bytes. */
  bytesMax?: number;
  /** Pictures of one caller that wait or are being read. */
  callerMax?: number;
  /** Pixels of a picture. */
  pixelsMax?: number;
  /** Processor time to read one, as far as it is known: see `createReader`. */
  timeoutMs?: number;
  /** Time to wait for that. */
  waitMs?: number;
}

/** Pictures of guests: read apart from members' slips, and smaller. */
export const GUEST_IMAGES: ImageLimits = {
  name: 'guest_images',
  queueMax: 20,
  bytesMax: 60_000_000,
  callerMax: 2,
  pixelsMax: 16_000_000,
  waitMs: 15_000,
};

interface Waiting {
  bytes: Uint8Array;
  deadline: NodeJS.Timeout | undefined;
  resolve: (reading: Reading) => void;
  reject: (error: Overloaded) => void;
}

const HEAP_MB = 128;
/** A thread loads its libraries within this, on a machine that does much else at the time. */
const BEGIN_WITHIN_MS = 30_000;
/** A picture is given up after this many times its time, however little of the processor the machine had for it. */
const STARVED_TIMES = 5;

/** Processor time in ms of all threads of this process but the calling one: those that read pictures are among them. */
function otherThreadsMs(): number {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  return (all.user + all.system - own.user - own.system) / 1000;
}

/** Starts a thread; calls back with its messages and once when it has ended. */
function startThread(
  pixelsMax: number,
  onMessage: (thread: Worker, message: ThreadMessage) => void,
  onEnd: (thread: Worker) => void,
): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { pixelsMax } satisfies ImageThreadData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  thread.on('message', (message: ThreadMessage) => onMessage(thread, message));
  thread.on('error', () => undefined);
  thread.on('exit', () => onEnd(thread));
  return thread;
}

/** Pictures in the order they came; one that is not taken in time is given up with what `giveUp` returns. */
function createQueue(waitMs: number, giveUp: () => Overloaded) {
  const queue: Waiting[] = [];
  return {
    bytes: () => queue.reduce((sum, { bytes }) => sum + bytes.length, 0),
    wait: (bytes: Uint8Array) =>
      new Promise<Reading>((resolve, reject) => {
        const waiting: Waiting = { bytes, resolve, reject, deadline: undefined };
        waiting.deadline = setTimeout(() => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(giveUp());
        }, waitMs);
        queue.push(waiting);
      }),
    take(): Waiting | null {
      const next = queue.shift();
      clearTimeout(next?.deadline);
      return next ?? null;
    },
  };
}

/**
 * Reads one picture at a time; starts its thread with the first, and another one when that was given up. A picture is
 * given up as unreadable once its time is over and threads had the processor for half of it. On a machine that is too
 * busy for that, the picture has more time, and its caller is refused as by a full queue in the end.
 */
function createReader(
  { pixelsMax, timeoutMs }: { pixelsMax: number; timeoutMs: number },
  refuse: () => Overloaded,
  onFree: () => void,
) {
  let worker: Worker | null = null;
  let isReady = false;
  let current: Waiting | null = null;
  let timer: NodeJS.Timeout | undefined;

  const finish = (outcome: Reading | Overloaded) => {
    clearTimeout(timer);
    if (outcome instanceof Overloaded) current?.reject(outcome);
    else current?.resolve(outcome);
    current = null;
    worker?.unref();
    onFree();
  };
  /** Gives the picture up with what `outcome` returns then, unless that is a function: it waits on. */
  const giveUpAfter = (ms: number, outcome: () => Reading | Overloaded | (() => void)) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const decided = outcome();
      if (typeof decided === 'function') return decided();
      const late = worker;
      worker = null;
      finish(decided);
      void late?.terminate();
    }, ms);
  };
  const sendNext = () => {
    if (!current) return;
    const usedBefore = otherThreadsMs();
    const watch = (times: number) =>
      giveUpAfter(timeoutMs, () => {
        if (otherThreadsMs() - usedBefore >= timeoutMs / 2) return { ok: false, why: 'TIME' };
        return times < STARVED_TIMES ? () => watch(times + 1) : refuse();
      });
    watch(1);
    worker?.postMessage(current.bytes);
  };
  const onThreadMessage = (thread: Worker, message: ThreadMessage) => {
    // One that was given up may still have said something: it must not become another picture's reading.
    if (worker !== thread) return;
    if (message !== 'ready') return finish(message);
    isReady = true;
    sendNext();
  };
  const gone = (thread: Worker) => {
    if (worker === thread) worker = null;
    if (current && worker === null) finish(isReady ? { ok: false, why: 'BROKEN' } : refuse());
  };
  return {
    isBusy: () => current !== null,
    read(picture: Waiting) {
      current = picture;
      if (!worker) {
        isReady = false;
        worker = startThread(pixelsMax, onThreadMessage, gone);
      }
      worker.ref();
      if (isReady) sendNext();
      else giveUpAfter(BEGIN_WITHIN_MS, refuse);
    },
    async close() {
      clearTimeout(timer);
      await worker?.terminate();
    },
  };
}

/**
 * Reads pictures one at a time in a thread that is thrown away when a picture takes too long or ends it. The thread
 * starts with the first picture, on which no time is counted before the thread is ready.
 */
export function createImages({
  name = 'images',
  queueMax = 60,
  bytesMax = 100_000_000,
  callerMax = queueMax + 1,
  pixelsMax = 40_000_000,
  timeoutMs = 4000,
  waitMs = 20_000,
}: ImageLimits = {}): Images {
  // The one being read and those behind it.
  const budget = createBudget({ name, max: queueMax + 1, callerMax });
  const refuse = () => budget.refuse();
  const queue = createQueue(waitMs, refuse);
  const next = () => {
    const picture = reader.isBusy() ? null : queue.take();
    if (picture) reader.read(picture);
  };
  const reader = createReader({ pixelsMax, timeoutMs }, refuse, next);

  return {
    budget,
    async read(bytes, caller) {
      if (queue.bytes() + bytes.length > bytesMax) throw refuse();
      const release = budget.take(caller);
      const reading = queue.wait(bytes).finally(release);
      next();
      return reading;
    },
    async close() {
      for (let left = queue.take(); left; left = queue.take()) left.resolve({ ok: false, why: 'TIME' });
      await reader.close();
    },
  };
}
