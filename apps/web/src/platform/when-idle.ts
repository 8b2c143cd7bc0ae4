const LONGEST_MS = 2_000;
/** Safari has no idle callback. */
const WITHOUT_MS = 300;

/** Resolves when the page has nothing else to do, after 2 s at the latest. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: LONGEST_MS });
    else setTimeout(resolve, WITHOUT_MS);
  });
