import { MINUTE_MS } from '@krapao/contract/durations';
import type { Actor } from './audit.ts';
import type { Pool } from './database/db.ts';
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

/** Finds the operator behind a session cookie. */
export interface OperatorSessions {
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

export function createOperatorSessions(
  pool: Pool,
  now: () => Date,
  settings: Pick<Settings, 'get'>,
): OperatorSessions {
  return {
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
