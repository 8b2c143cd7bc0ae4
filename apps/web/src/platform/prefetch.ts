import { whenOnline } from './online.ts';

let underWay = 0;

/** Whether files are being prefetched: a failure of one is no reason to reload. */
export const isPrefetching = (): boolean => underWay > 0;

/** Fetches what is not needed yet, once the device is online. Rejects as `load` does. */
export async function prefetch<T>(load: () => Promise<T>): Promise<T> {
  await whenOnline();
  underWay += 1;
  try {
    return await load();
  } finally {
    underWay -= 1;
  }
}
