/** The most keys one statement reads. */
const BATCH_MAX = 200;

/**
 * Returns a function that reads one key, and that reads the keys of concurrent callers with one statement, at most
 * `BATCH_MAX` at a time.
 * @param load returns one value per key, in the order of the keys. When it rejects, every waiting caller rejects with the
 *   same error, those of later batches included, since the database is most likely away; the next call loads again.
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
