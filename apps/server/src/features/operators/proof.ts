import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { keepAlert } from '../../platform/alerts.ts';
import { accountMeter, addressMeters, type PasswordTry, takePasswordTry } from '../../platform/attempts.ts';
import { writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { isFamiliarToOperator } from '../../platform/familiar.ts';
import { networkOf } from '../../platform/http/caller.ts';
import type { Limits } from '../../platform/limits.ts';
import { checkPassword } from '../../platform/passwords.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeWindow, countUp } from '../../platform/throttle.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { findOperator, type OperatorRow } from './queries.ts';
import { useCode } from './second-factor.ts';

export interface ProofDeps {
  pool: Pool;
  limits: Limits;
  settings: Settings;
  clock: Clock;
  secrets: Secrets;
}

/** So many wrong codes after the right password, without a right one between them, open an alert. */
const WRONG_CODES_ALERT = 3;

const nameKey = (name: string): string => `operator-name:${name}`;
const codesKey = (name: string): string => `operator-codes:${name}`;

/**
 * Takes one try at a name from an address before anything is checked. Throws REQUEST_LIMIT when this name and address
 * have failed too often of late, or when this address, or this name anywhere, has failed so often that its tries are
 * spaced out. Spacing leaves out networks the operator has signed in from.
 * @param name empty for an enrolment, whose token cannot be guessed: only the address counts
 */
export async function takeSignInTry(deps: ProofDeps, name: string, address: string): Promise<PasswordTry> {
  const { pool, settings } = deps;
  const now = deps.clock.now();
  const ms = settings.get('login.windowMinutes') * MINUTE_MS;
  const key = `operator-login:${name}:${networkOf(address)}`;
  const meters = async () => {
    if (name !== '' && (await isFamiliarToOperator(pool, name, address, now))) return [];
    const limit = { max: settings.get('login.addressFailuresMax'), ms };
    return [
      ...addressMeters('operator-address', address, limit),
      ...(name === '' ? [] : [accountMeter(nameKey(name), ms)]),
    ];
  };
  return takePasswordTry(deps, { key, max: settings.get('login.failuresMax'), ms }, meters, now);
}

/**
 * Records a failed try at a name. Where the password was right the caller has no authenticator: the audit trail records
 * it, the try counts twice, and after a few an alert opens. Where it was wrong, the same number of statements and durable
 * commits go to counters that nothing reads, so that the time of the response does not say that it was right.
 * @param operator whose password was right; null when it was wrong
 */
async function noteFailure(
  deps: ProofDeps,
  name: string,
  address: string,
  operator: OperatorRow | null,
): Promise<void> {
  const { pool } = deps;
  const now = deps.clock.now();
  const ms = deps.settings.get('login.windowMinutes') * MINUTE_MS;
  const keyOf = (key: string) => (operator ? key : `unread:${key}`);
  await countUp(pool, accountMeter(keyOf(nameKey(name)), ms), now);
  const count = await countUp(pool, { key: keyOf(codesKey(name)), ms: DAY_MS, extends: true }, now);
  const subject = entityRef('operator', name);
  await inTransaction(pool, async (tx) => {
    if (operator)
      await writeAudit(tx, { ...operator, address }, { action: 'operator.wrong-code', subject }, now);
    else await countUp(tx, { key: `unread:operator-audit:${name}`, ms }, now);
    const detail = `${count} wrong codes after the right password, the last from ${address}`;
    const isDue = operator !== null && count >= WRONG_CODES_ALERT;
    await keepAlert(tx, { kind: 'wrong-codes', subject, detail }, now, isDue);
  });
}

/**
 * Returns the operator with this password and code, as one counted try; undefined when either is wrong, without
 * revealing which. Throws REQUEST_LIMIT, or PasswordsBusy, which counts as no try.
 */
export async function proveOperator(
  deps: ProofDeps,
  name: string,
  address: string,
  given: { password: string; code: string },
): Promise<OperatorRow | undefined> {
  const attempt = await takeSignInTry(deps, name, address);
  let operator: OperatorRow | undefined;
  let isRight: boolean;
  try {
    operator = await findOperator(deps.pool, name);
    isRight = await checkPassword(operator?.password_hash ?? null, given.password, {
      lane: 'operator',
      address,
    });
  } catch (error) {
    await attempt.cancel();
    throw error;
  }
  const proven = operator && isRight ? operator : null;
  if (!proven || !(await useCode(deps.pool, deps.secrets, proven, given.code, deps.clock.now()))) {
    await noteFailure(deps, name, address, proven);
    return undefined;
  }
  await attempt.succeed();
  await closeWindow(deps.pool, codesKey(name));
  return proven;
}
