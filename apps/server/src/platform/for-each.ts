/**
 * Does the work for every row, `atOnce` rows at a time, also for those behind a row that failed; then throws the first
 * failure. Jobs use it: one row that cannot be processed must not hold up the others.
 */
export async function forEachRow<T>(
  rows: readonly T[],
  work: (row: T) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = rows.values();
  const worker = async () => {
    for (const row of waiting)
      try {
        await work(row);
      } catch (error) {
        failures.push(error);
      }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
