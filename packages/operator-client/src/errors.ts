/** A refusal: its code as the contract lists it, with what the server adds. Nothing was changed. */
export class OperatorApiError extends Error {
  override readonly name = 'OperatorApiError';
  readonly code: string;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, data: Record<string, unknown> = {}) {
    super(`${code} (${status})`);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/**
 * A call that the server neither did for certain nor refused: the connection was lost or timed out, the status is 500 or
 * above, or the response is not the server's, such as a proxy's page. A change may have been made or not.
 */
export class OperatorOutcomeUnknown extends Error {
  override readonly name = 'OperatorOutcomeUnknown';
  /** Null without a response; then `cause` is the error of `fetch`. */
  readonly status: number | null;
  /** The server's code, such as PROVIDER_UNAVAILABLE; null where the response is not the server's. */
  readonly code: string | null;
  /** What the server says of its fault, such as the `requestId` of its log. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    status: number | null,
    {
      code = null,
      data = {},
      cause,
    }: { code?: string | null; data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(status === null ? 'no response' : [code, `status ${status}`].filter(Boolean).join(', '), { cause });
    this.code = code;
    this.status = status;
    this.data = data;
  }
}
