import { notifications } from '@krapao/contract/member';
import { fromMinor } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { rangeOf } from '../../platform/http/list.ts';
import { countNotifications, listNotifications, markRead } from './queries.ts';
import { deviceName } from './texts.ts';

/** Answers what happened to the member. */
export function notificationCalls(declare: Declare, { pool, clock }: { pool: Pool; clock: Clock }): void {
  declare(notifications.listNotifications, async ({ member, body }) => {
    const [rows, counts] = await Promise.all([
      listNotifications(pool, member.id, rangeOf(body)),
      countNotifications(pool, member.id),
    ]);
    return {
      notifications: rows.map((row) => ({
        id: String(row.id),
        kind: row.kind,
        status: row.status,
        subject: row.subject,
        amount: row.amount === null ? null : fromMinor(row.amount, member.currency),
        name: row.kind === 'login' ? deviceName(row.name) : row.name,
        createdAt: row.created_at.toISOString(),
        isRead: row.is_read,
      })),
      ...counts,
    };
  });
  declare(notifications.readNotifications, async ({ member, body }) => {
    await markRead(pool, member.id, BigInt(body.upTo), clock.now());
    const { unread } = await countNotifications(pool, member.id);
    return { unread };
  });
}
