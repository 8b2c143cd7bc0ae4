import { Refusal } from './refusal.ts';

interface RowResult {
  state: string;
  approval: string | null;
  undoSeconds?: number;
}

/** Acts on each row for itself; a refused row is part of the reply and stops no other. */
export async function eachRow(ids: readonly string[], perform: (id: string) => Promise<RowResult>) {
  const results = [];
  for (const id of new Set(ids)) {
    try {
      results.push({ id, ...(await perform(id)), refusal: null, by: null, now: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const textOf = (name: string) => (typeof error.data?.[name] === 'string' ? error.data[name] : null);
      results.push({
        id,
        state: null,
        approval: null,
        refusal: error.code,
        by: textOf('by'),
        now: textOf('state'),
      });
    }
  }
  return results;
}
