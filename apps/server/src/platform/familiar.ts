import { DAY_MS } from '@krapao/contract/durations';
import type { Pool } from './database/db.ts';
import { networkOf } from './http/caller.ts';

/** How long a network counts as familiar after a login from it. */
const LOGIN_COUNTS_MS = 30 * DAY_MS;
/** How long a network counts as familiar after a correct SMS code from it. */
const PROOF_COUNTS_MS = DAY_MS;

const isAmong = (rows: readonly { address: string }[], address: string): boolean =>
  rows.some((row) => networkOf(row.address) === networkOf(address));

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

/**
 * Whether a member's network is familiar: the phone's owner has logged in from it, or proven the phone there by SMS.
 * Failed attempts from other networks do not delay the owner in a familiar one.
 */
export async function isFamiliar(pool: Pool, phone: string, address: string, now: Date): Promise<boolean> {
  const { rows } = await pool.query(
    // By the expression of its index alone: an index of the member would read all of their sessions.
    `select exists (select 1 from session s
       where s.member_id::text || ' ' || coalesce(s.network, s.address) = any(array[m.id || ' ' || $2, m.id || ' ' || $3])
         and s.created_at > $4) as has_logged_in
     from member m where m.phone = $1`,
    [phone, networkOf(address), address, before(now, LOGIN_COUNTS_MS)],
  );
  if (rows[0]?.has_logged_in) return true;
  const proofs = await pool.query('select address from otp where phone = $1 and verified_at > $2', [
    phone,
    before(now, PROOF_COUNTS_MS),
  ]);
  return isAmong(proofs.rows, address);
}

/** The same of an operator by name; operators prove nothing by SMS. */
export async function isFamiliarToOperator(
  pool: Pool,
  name: string,
  address: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await pool.query(
    `select distinct s.address from operator_session s join operator o on o.id = s.operator_id
     where o.name = $1 and s.created_at > $2 and s.address is not null`,
    [name, before(now, LOGIN_COUNTS_MS)],
  );
  return isAmong(rows, address);
}
