import { sessions } from '@krapao/contract/member';
import type { Declare } from '../../platform/http/declare.ts';
import { memberIdleSince } from '../../platform/sessions.ts';
import { deviceOf, maskAddress } from './device.ts';
import { confirmSession, endElsewhere, endOwnSession, isInQuestion, listSessions } from './queries.ts';
import { loginHint, type SessionDeps } from './sessions.ts';

/** Answers a member's own sessions: where they are, and their end. Sockets of an ended one close by the database's word. */
export function ownSessionCalls(declare: Declare, { pool, clock, settings, notify }: SessionDeps): void {
  declare(sessions.listSessions, async ({ member }) => {
    const now = clock.now();
    const rows = await listSessions(pool, member, now, memberIdleSince(settings, now));
    return {
      sessions: rows.map((row) => ({
        id: row.id,
        isThis: row.is_this,
        isNew: row.is_new,
        ...deviceOf(row.user_agent),
        address: row.address === null ? null : maskAddress(row.address),
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.seen_at.toISOString(),
      })),
    };
  });
  declare(sessions.endOneSession, async ({ member, params, refuse }) => {
    if (!(await endOwnSession(pool, member.id, params.id, clock.now()))) throw refuse('NO_DATA');
    return { message: 'OK' };
  });
  declare(sessions.confirmSession, async ({ member, params, refuse }) => {
    // A session opened with a stolen password cannot trust its own device or another one.
    if (await isInQuestion(pool, member.tokenHash)) throw refuse('UNAUTHORIZED');
    if (!(await confirmSession(pool, member.id, params.id, clock.now()))) throw refuse('NO_DATA');
    notify([loginHint(member.id)]);
    return { message: 'OK' };
  });
  declare(sessions.endOtherSessions, async ({ member }) => ({
    ended: await endElsewhere(pool, member.id, member.tokenHash, clock.now()),
  }));
}
