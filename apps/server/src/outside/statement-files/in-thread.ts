import { Worker } from 'node:worker_threads';
import { TooManyLines, UnreadableStatement } from './format.ts';
import type { readStatementFile } from './read.ts';

/** What the thread is given. */
export interface StatementThreadData {
  bytes: Uint8Array;
  decimals: number;
}

type StatementContents = ReturnType<typeof readStatementFile>;

/** What the thread returns; an error keeps its class only within a thread. */
export type StatementReading =
  | { file: StatementContents }
  | { unreadable: { line: number; note: string } }
  | { tooMany: string };

const HEAP_MB = 512;

async function readApart(workerData: StatementThreadData): Promise<StatementContents> {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const reading = await new Promise<StatementReading>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) =>
      reject(new Error(`the thread of a statement file ended with code ${code}`)),
    );
  });
  if ('file' in reading) return reading.file;
  if ('tooMany' in reading) throw new TooManyLines(reading.tooMany);
  throw new UnreadableStatement(reading.unreadable.line, reading.unreadable.note);
}

/** The reading that began last. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does what `readStatementFile` does in a thread of its own, one file after another: the largest takes seconds, in which
 * the server goes on.
 */
export function readStatementInThread(bytes: Uint8Array, decimals: number): Promise<StatementContents> {
  const reading = last.then(() => readApart({ bytes, decimals }));
  last = reading.catch(() => undefined);
  return reading;
}
