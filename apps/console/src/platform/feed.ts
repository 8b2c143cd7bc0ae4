import type { ConsoleEvent } from '@krapao/contract/operator';

/** How long after a refusal the next try starts, in ms; the ones after it later. */
const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 30_000;

/** What is done with the events of a stream. */
interface FeedReader {
  onEvent(event: ConsoleEvent): void;
  /** Events may have been missed. */
  onGap(): void;
  /** The server refused the stream. It is requested again, later each time. */
  onRefused(): void;
}

/**
 * Opens a stream of the server's events. Browsers take up a stream that broke, but not one that was refused, as while the
 * database is away: that is done here.
 */
export function openFeed(url: string, reader: FeedReader): { close(): void } {
  let stream: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = AGAIN_MS;
  let isGap = false;
  const open = () => {
    stream = new EventSource(url);
    stream.onopen = () => {
      delayMs = AGAIN_MS;
      if (isGap) reader.onGap();
      isGap = false;
    };
    stream.onmessage = (message) => reader.onEvent(JSON.parse(message.data) as ConsoleEvent);
    stream.onerror = () => {
      isGap = true;
      if (stream.readyState !== EventSource.CLOSED) return;
      reader.onRefused();
      timer = setTimeout(open, delayMs * (0.5 + Math.random()));
      delayMs = Math.min(delayMs * 2, AGAIN_MAX_MS);
    };
  };
  open();
  return {
    close() {
      clearTimeout(timer);
      stream.close();
    },
  };
}
