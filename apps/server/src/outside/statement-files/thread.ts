/** Runs in a worker thread: reads one statement file and returns what it holds, or why it cannot be read. */
import { parentPort, workerData } from 'node:worker_threads';
import { TooManyLines, UnreadableStatement } from './format.ts';
import type { StatementReading, StatementThreadData } from './in-thread.ts';
import { readStatementFile } from './read.ts';

function read({ bytes, decimals }: StatementThreadData): StatementReading {
  try {
    return { file: readStatementFile(bytes, decimals) };
  } catch (error) {
    if (error instanceof UnreadableStatement)
      return { unreadable: { line: error.line, note: error.message } };
    if (error instanceof TooManyLines) return { tooMany: error.message };
    throw error;
  }
}

parentPort!.postMessage(read(workerData as StatementThreadData));
