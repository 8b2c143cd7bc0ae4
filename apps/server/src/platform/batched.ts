/** One statement answers at most so many callers. */
const BATCH_MAX = 200;

/**
 * Reads for callers who ask at the same time together: one statement a turn of the loop, so that what every call asks of
 * the database costs little even under load. `load` gets the keys and resolves with an answer at the place of each. A
 * failed statement rejects for everybody who waits: the database is away, and they hear it now.
 */
export function batched<K, V>(load: (keys: readonly K[]) => Promise<readonly V[]>): (key: K) => Promise<V> {
  const waiting: { key: K; resolve: (value: V) => void; reject: (error: unknown) => void }[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    await new Promise((resume) => setImmediate(resume));
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        const values = await load(batch.map(({ key }) => key));
        for (const [index, one] of batch.entries()) one.resolve(values[index]!);
      } catch (error) {
        for (const one of [...batch, ...waiting.splice(0)]) one.reject(error);
      }
    }
    running = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!running) void run();
    });
}
