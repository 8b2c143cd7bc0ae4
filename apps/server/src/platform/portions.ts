/** Portions of one run at most, so that a run ends; the next one goes on. */
const PORTIONS_MAX = 20;

/**
 * Deletes in portions of so many rows, each a statement of its own, until a portion is not full. One statement for all
 * would run into the time limit of statements after a pause of the worker, and delete nothing.
 */
export async function inPortions(count: number, remove: (count: number) => Promise<number>): Promise<void> {
  for (let portion = 0; portion < PORTIONS_MAX; portion++) if ((await remove(count)) < count) return;
}
