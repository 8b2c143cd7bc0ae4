import { whenOnline } from './online.ts';

let underWay = 0;

/** Whether files are being fetched that nobody waits for: that one of them cannot be had is no reason to begin again. */
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
