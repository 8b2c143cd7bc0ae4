/** What PostgreSQL, the network and `pg` say when the database cannot be used for the moment. */

/**
 * How long callers wait for a connection after the database has gone away: a standby takes over within seconds. Callers
 * that come later are refused immediately.
 */
export const TAKEOVER_MS = 6_000;

const textOf = (error: unknown): { code: string; message: string } => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return { code, message };
};

/**
 * Whether a connection broke or could not be made: the server is stopping, starting, gone or no longer the primary
 * (25006). What a statement that was under way has done is unknown.
 */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = textOf(error);
  return (
    /^(08|25006|57P|ECONN|EPIPE|ENOENT)/.test(code) ||
    /Connection terminated|timeout expired|not queryable/i.test(message)
  );
}

/**
 * Whether an error is the database's absence rather than a fault: {@link isConnectionLost}, none free, out of resources,
 * statement out of time.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = textOf(error);
  return (
    isConnectionLost(error) ||
    /^(57014|53)/.test(code) ||
    /timeout exceeded when trying to connect|Query read timeout/i.test(message)
  );
}
