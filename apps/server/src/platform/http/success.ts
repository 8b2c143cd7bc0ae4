import { Refusal } from '../refusal.ts';

/** Answers what a client looks up by `success` and `error` instead of the status: a no of the business is told at 200. */
export async function asResult<T>(
  work: () => Promise<T>,
): Promise<{ success: true; result: T } | { success: false; error: string; data?: Record<string, unknown> }> {
  try {
    return { success: true, result: await work() };
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    return { success: false, error: error.code, ...(error.data ? { data: error.data } : {}) };
  }
}
