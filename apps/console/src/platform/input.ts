/** What the operator does with keys, pointer or touch: only that keeps the session from ending as idle. */

const EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** A call within this of an input was made by it. */
const FRESH_MS = 5_000;
/** While there is input the server is notified at most this often. */
const REPORT_MS = 30_000;

let inputAt = Number.NEGATIVE_INFINITY;
let reportedAt = Number.NEGATIVE_INFINITY;

/** Whether the operator did something a moment ago. */
export const isInputFresh = (): boolean => performance.now() - inputAt < FRESH_MS;

/** Follows input until the answer is called; `tell` lets the server know of it, at the first and then now and again. */
export function followInput(notify: () => void): () => void {
  const note = () => {
    inputAt = performance.now();
    if (inputAt - reportedAt < REPORT_MS) return;
    reportedAt = inputAt;
    notify();
  };
  for (const event of EVENTS) window.addEventListener(event, note, { capture: true, passive: true });
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, note, { capture: true });
  };
}
