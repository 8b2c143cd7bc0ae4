import { createHash } from 'node:crypto';
import { isGuestId } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import type { Pool } from '../../platform/database/db.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member, SessionCode, Sessions } from '../../platform/sessions.ts';
import { findConversation, mergeGuest } from './queries.ts';

/** The customer of a conversation: a member by their token, or a guest by their secret. */
export interface Customer {
  member: Member | null;
  guestHash: Buffer | null;
  /** As the caller sent it; returned to that caller. */
  guestId: string | null;
}

interface WhoDeps {
  pool: Pool;
  sessions: Sessions;
  clock: { now(): Date };
}

/** The database does not contain a guest's secret. */
export const hashGuestId = (id: string): Buffer => createHash('sha256').update(`guest ${id}`).digest();

/** The member behind the bearer token, if one was sent. Throws the identity refusal that applies. */
export async function memberOf(
  refuse: Refuse<SessionCode>,
  sessions: Sessions,
  request: FastifyRequest,
): Promise<Member | null> {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const token = /^Bearer ([^\s,]+)$/i.exec(header)?.[1];
  if (!token) throw refuse('invalid-token');
  return sessions.member(refuse, token);
}

/**
 * Identifies the customer. The token decides; a `userId` that is not its own is UNAUTHORIZED. A guest's conversation that comes with a
 * token joins the member's, unless it joined another member's; INVALID_USER_INFO without either, and for a malformed secret.
 */
export async function whoIs(
  refuse: Refuse<'UNAUTHORIZED' | 'INVALID_USER_INFO' | SessionCode>,
  deps: WhoDeps,
  request: FastifyRequest,
  content: { userId?: string | null; guestId?: string | null },
): Promise<Customer> {
  const member = await memberOf(refuse, deps.sessions, request);
  const { userId, guestId } = content;
  if (userId && userId !== String(member?.id)) throw refuse('UNAUTHORIZED');
  if (guestId && !isGuestId(guestId)) throw refuse('INVALID_USER_INFO');
  const guestHash = guestId ? hashGuestId(guestId) : null;
  if (member) {
    if (guestHash) await mergeGuest(deps.pool, member.id, guestHash, deps.clock.now());
    return { member, guestHash: null, guestId: null };
  }
  if (!guestHash || !guestId) throw refuse('INVALID_USER_INFO');
  return { member: null, guestHash, guestId };
}

/** The conversation of a customer, if there is one; a guest's that joined a member's is no longer the guest's. */
export async function conversationOf(
  refuse: Refuse<'INVALID_USER_INFO'>,
  pool: Pool,
  { member, guestHash }: Customer,
): Promise<bigint | null> {
  const found = await findConversation(pool, member?.id ?? null, guestHash);
  if (found?.merged) throw refuse('INVALID_USER_INFO', undefined, 'the guest is a member by now');
  return found?.id ?? null;
}
