/** Keeps calls of `once` in flight for a time; returns how many ended a second, and the duration of each in ms. */
export async function keepInFlight(
  inFlight: number,
  seconds: number,
  once: () => Promise<void>,
): Promise<{ rate: number; times: number[] }> {
  const started = performance.now();
  const until = started + seconds * 1000;
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        const at = performance.now();
        await once();
        times.push(performance.now() - at);
      }
    }),
  );
  return { rate: times.length / ((performance.now() - started) / 1000), times };
}
