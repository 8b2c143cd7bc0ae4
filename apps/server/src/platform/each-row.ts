import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from './refusal.ts';

interface RowResult {
  state: string;
  approval: string | null;
  undoSeconds?: number;
}

/**
 * Acts on each row for itself; a refused row is part of the reply and stops no other. A fault is logged, is the result
 * of its row as INTERNAL_SERVER_ERROR, and ends the run: the rows behind it have no result. What was committed before is
 * reported in any case.
 */
export async function eachRow(
  log: Pick<FastifyBaseLogger, 'error'>,
  ids: readonly string[],
  perform: (id: string) => Promise<RowResult>,
) {
  const results = [];
  const failed = { state: null, approval: null, by: null, now: null };
  for (const id of new Set(ids)) {
    try {
      results.push({ id, ...(await perform(id)), refusal: null, by: null, now: null });
    } catch (error) {
      if (!(error instanceof Refusal)) {
        log.error({ err: error, row: id }, 'action on a row failed');
        results.push({ id, ...failed, refusal: 'INTERNAL_SERVER_ERROR' });
        break;
      }
      const textOf = (name: string) => (typeof error.data?.[name] === 'string' ? error.data[name] : null);
      results.push({ id, ...failed, refusal: error.code, by: textOf('by'), now: textOf('state') });
    }
  }
  return results;
}
