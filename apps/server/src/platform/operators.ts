import { MINUTE_MS } from '@krapao/contract/durations';
import { PERSON_PERMISSIONS } from '@krapao/contract/operator';
import type { Actor } from './audit.ts';
import type { Pool } from './database/db.ts';
import { type Limits, requireWithinLimit } from './limits.ts';
import { refuseAny } from './refuse-any.ts';
import { hashToken } from './secrets.ts';
import type { Settings } from './settings.ts';

/** A signed-in operator and their session. */
export interface Operator extends Omit<Actor, 'address'> {
  permissions: ReadonlySet<string>;
  sessionId: string;
  /** When the session ends unless it is used before. */
  idleEndsAt: Date;
}

/** Finds the operator behind a session cookie or an API key. */
export interface OperatorSessions {
  /**
   * The operator who made an API key, with what is left of its permissions: those the operator has now and a key may
   * have. Rejects with `invalid-token` for an unknown or revoked key, EXPIRED_AUTH_TOKEN past its time, INACTIVE_USER for
   * a suspended operator, REQUEST_LIMIT above its rate.
   */
  byKey(key: string, address: string): Promise<Operator>;
  /**
   * Rejects with `invalid-token` without a session, EXPIRED_AUTH_TOKEN once it was ended, was idle too long or is too
   * old, INACTIVE_USER for a suspended operator. Never cached: what was taken away is gone with the next call.
   * @param isUse whether the operator did something: only that puts the end of an idle session off
   */
  operator(token: string, isUse: boolean): Promise<Operator>;
}

/** A session's last use is written down at most this often. */
const SEEN_MS = 30_000;

const SELECT = `select s.id, s.operator_id, o.name, o.role, o.status, r.permissions, s.seen_at, s.expires_at, s.ended_at
  from operator_session s join operator o on o.id = s.operator_id join operator_role r on r.code = o.role where s.token_hash = $1`;

const SELECT_KEY = `select k.id, k.name as key_name, k.permissions as key_permissions, k.expires_at, k.last_used_at,
    k.operator_id, o.name, o.role, o.status, r.permissions
  from operator_key k join operator o on o.id = k.operator_id join operator_role r on r.code = o.role
  where k.key_hash = $1 and k.revoked_at is null`;

/** Calls of one key in a minute. */
const KEY_MINUTE_MAX = 300;
const PERSON_ONLY: ReadonlySet<string> = new Set(PERSON_PERMISSIONS);

async function operatorOfKey(
  { pool, limits }: { pool: Pool; limits: Limits },
  at: Date,
  key: string,
  address: string,
): Promise<Operator> {
  const row = (await pool.query({ name: 'operator-key', text: SELECT_KEY, values: [hashToken(key)] }))
    .rows[0];
  if (!row) throw refuseAny('invalid-token');
  if (row.expires_at <= at) throw refuseAny('EXPIRED_AUTH_TOKEN');
  if (row.status !== 'ACTIVE') throw refuseAny('INACTIVE_USER');
  const window = { key: `operator-key:${row.id}`, max: KEY_MINUTE_MAX, ms: MINUTE_MS };
  await requireWithinLimit(limits, window, at);
  if (at.getTime() - (row.last_used_at?.getTime() ?? 0) > SEEN_MS)
    await pool.query('update operator_key set last_used_at = $2, last_address = $3 where id = $1', [
      row.id,
      at,
      address,
    ]);
  const may = new Set(row.permissions);
  return {
    id: row.operator_id,
    name: row.name,
    role: row.role,
    key: row.key_name,
    permissions: new Set(row.key_permissions.filter((one) => may.has(one) && !PERSON_ONLY.has(one))),
    sessionId: row.id,
    idleEndsAt: row.expires_at,
  };
}

export function createOperatorSessions(
  { pool, limits }: { pool: Pool; limits: Limits },
  now: () => Date,
  settings: Pick<Settings, 'get'>,
): OperatorSessions {
  return {
    byKey: (key, address) => operatorOfKey({ pool, limits }, now(), key, address),
    async operator(token, isUse) {
      if (!/^[\w-]{43}$/.test(token)) throw refuseAny('invalid-token');
      const hash = hashToken(token);
      const row = (await pool.query({ name: 'operator', text: SELECT, values: [hash] })).rows[0];
      if (!row) throw refuseAny('invalid-token');
      const at = now();
      const idleMs = at.getTime() - row.seen_at.getTime();
      const idleMsMax = settings.get('desk.sessionIdleMinutes') * MINUTE_MS;
      if (row.ended_at || row.expires_at <= at) throw refuseAny('EXPIRED_AUTH_TOKEN');
      if (idleMs >= idleMsMax) throw refuseAny('EXPIRED_AUTH_TOKEN', { reason: 'idle' });
      if (row.status !== 'ACTIVE') throw refuseAny('INACTIVE_USER');
      const isTouched = isUse && idleMs > SEEN_MS;
      if (isTouched)
        await pool.query('update operator_session set seen_at = $2 where token_hash = $1', [hash, at]);
      return {
        id: row.operator_id,
        name: row.name,
        role: row.role,
        permissions: new Set(row.permissions),
        sessionId: row.id,
        idleEndsAt: new Date((isTouched ? at : row.seen_at).getTime() + idleMsMax),
      };
    },
  };
}
