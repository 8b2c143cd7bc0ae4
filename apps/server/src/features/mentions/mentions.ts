import { mentions, type Permission } from '@krapao/contract/operator';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { listActiveNames, listUnseen, markSeen } from './queries.ts';

/** What opening a subject requires; it may have been taken away since the mention, and an API key may lack it. */
const READERS: Readonly<Record<string, Permission>> = { member: 'member.read', chat: 'chat.read' };

/** Serves the mentions of the caller and the names of those who can be mentioned. */
export function mentionCalls(declare: OperatorDeclare, deps: { pool: Pool; clock: Clock }): void {
  const { pool, clock } = deps;
  declare(mentions.listMentions, async ({ operator }) => {
    const kinds = Object.keys(READERS).filter((kind) => operator.permissions.has(READERS[kind]!));
    const rows = await listUnseen(pool, operator.id, kinds);
    return {
      mentions: rows.map((row) => ({
        id: String(row.id),
        by: row.by,
        subject: row.subject,
        memberName: row.member_name,
        excerpt: row.excerpt,
        at: row.written_at.toISOString(),
      })),
    };
  });
  declare(mentions.seeMention, async ({ params, operator, refuse }) => {
    if (!/^\d{1,18}$/.test(params.id)) throw refuse('NO_DATA');
    const mention = { id: BigInt(params.id), operatorId: operator.id, now: clock.now() };
    if (!(await markSeen(pool, mention))) throw refuse('NO_DATA');
    return { message: 'OK' };
  });
  declare(mentions.listColleagues, async () => ({ names: await listActiveNames(pool) }));
}
