import { notifications } from '@krapao/contract/member';
import { fromMinor } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { rangeOf } from '../../platform/http/list.ts';
import { countNotifications, listNotifications, markRead } from './queries.ts';
import { deviceName, originOf } from './texts.ts';

interface Deps {
  pool: Pool;
  clock: Clock;
  config: Pick<Config, 'variant'>;
}

/** Answers what happened to the member. */
export function notificationCalls(declare: Declare, { pool, clock, config }: Deps): void {
  declare(notifications.listNotifications, async ({ member, body, request }) => {
    const reader = { id: member.id, language: languageOf(request, config.variant) };
    const [rows, counts] = await Promise.all([
      listNotifications(pool, reader, rangeOf(body)),
      countNotifications(pool, member.id),
    ]);
    return {
      notifications: rows.map((row) => ({
        id: String(row.id),
        kind: row.kind,
        status: row.status,
        subject: row.subject,
        ...originOf(row),
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
