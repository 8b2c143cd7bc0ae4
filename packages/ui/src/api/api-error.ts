/**
 * What a call ended with when it did not end well. `code` is the server's `message`, or one of three of our own:
 * `network` (no answer and nothing at stake), `unknownResult` (a money call without an answer: it may have
 * happened), `generic` (an answer that is not ours, such as a proxy's error page). Without an answer `data.cause` is
 * what the browser said, a `TimeoutError` for one that was waited for in vain, and `data.isOffline` whether the
 * device had no network.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly data: Record<string, unknown>;
  readonly status: number;
  constructor(code: string, data: Record<string, unknown> = {}, status = 0) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

/** The code of anything thrown; `generic` for what is not an ApiError. */
export const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : 'generic');
