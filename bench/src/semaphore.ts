/** Does a piece of work once there is room for it. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many through at once; the others wait in the order they came. */
export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (work) => {
    if (inside >= most) await new Promise<void>((resume) => waiting.push(resume));
    else inside++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside--;
    }
  };
}
