import { Refusal } from '../refusal.ts';

/** Wraps calls whose clients read `success` and `error` instead of the status: business refusals have status 200. */
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
