const AFTER_MS = 1000;

/**
 * Reports up to which message all is read: a second after it was seen, so that a burst is sent once, and never twice at
 * a time. What is seen meanwhile is sent afterwards.
 */
export function createReading(notify: (upTo: string) => Promise<unknown>): {
  seen: (upTo: string) => void;
  again: () => void;
  flush: () => void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTelling = false;
  let seen = 0;
  let acknowledged = 0;

  const later = () => {
    if (timer === undefined && !isTelling && seen > acknowledged) timer = setTimeout(run, AFTER_MS);
  };
  const run = async () => {
    timer = undefined;
    isTelling = true;
    const upTo = seen;
    const isAcknowledged = await notify(String(upTo)).then(
      () => true,
      () => false,
    );
    isTelling = false;
    if (!isAcknowledged) return;
    acknowledged = Math.max(acknowledged, upTo);
    later();
  };
  return {
    seen(upTo) {
      seen = Math.max(seen, Number(upTo));
      later();
    },
    /** Reports what is seen from now on, also when it was reported before. */
    again() {
      if (seen <= acknowledged) seen = 0;
      acknowledged = 0;
    },
    /** Sends a pending report at once. */
    flush() {
      if (timer === undefined) return;
      clearTimeout(timer);
      void run();
    },
  };
}
