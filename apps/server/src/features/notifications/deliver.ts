import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import type { PushSender, VapidKey } from '../../outside/index.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { inPortions } from '../../platform/portions.ts';
import { memberIdleSince } from '../../platform/sessions.ts';
import { PURPOSE, type PushDeps } from './push.ts';
import {
  type DueRow,
  endDelivery,
  forgetExpired,
  forgetSubscription,
  putOff,
  readKey,
  takeDue,
} from './push-queries.ts';
import { forgetNotifications } from './queries.ts';
import { pushPayload } from './texts.ts';

type DeliverDeps = PushDeps & { push: PushSender };

const KEPT_MS = 90 * DAY_MS;
/** Rows that are forgotten at a time. */
const FORGOTTEN_PORTION = 1_000;
/** No news any more. */
const STALE_MS = DAY_MS;
/** What a worker has taken is another's after this, should it die on the way. */
const LEASE_MS = MINUTE_MS;
const TAKE_MAX = 20;
const PAUSES_MS = [1, 2, 10, 30, 120].map((minutes) => minutes * MINUTE_MS);

async function send(deps: DeliverDeps, row: DueRow, key: VapidKey): ReturnType<PushSender['send']> {
  const { secrets, clock, push } = deps;
  const target = {
    endpoint: secrets.decrypt(PURPOSE.endpoint, row.endpoint_sealed),
    keys: JSON.parse(secrets.decrypt(PURPOSE.keys, row.keys_sealed)),
  };
  const restMs = row.created_at.getTime() + STALE_MS - clock.now().getTime();
  const message = {
    payload: JSON.stringify(pushPayload(row, row.language)),
    topic: `n${row.id}`,
    ttlSeconds: Math.max(Math.floor(restMs / 1000), 0),
  };
  return push.send(target, message, key);
}

/** Sends one notification to one browser, unless it has been read, is old, or may not be sent any more. */
async function deliver(deps: DeliverDeps, row: DueRow, key: VapidKey): Promise<void> {
  const { pool, clock } = deps;
  const isStale = clock.now().getTime() - row.created_at.getTime() >= STALE_MS;
  if (row.is_read || isStale || !row.may_receive) return endDelivery(pool, row);
  const sent = await send(deps, row, key);
  if (sent.outcome === 'gone') return forgetSubscription(pool, row.subscription_id);
  const pauseMs = PAUSES_MS[row.tries - 1];
  // A service that refuses this message refuses it again; one without a response may have accepted it or not.
  if (sent.outcome !== 'unknown' || pauseMs === undefined) return endDelivery(pool, row);
  const waitMs = Math.min(Math.max(sent.retryAfterMs ?? 0, pauseMs), STALE_MS);
  await putOff(pool, row, new Date(clock.now().getTime() + waitMs));
}

async function deliverDue(deps: DeliverDeps): Promise<void> {
  const stored = await readKey(deps.pool);
  if (!stored) return;
  const key = {
    publicKey: stored.public_key,
    privateKey: deps.secrets.decrypt(PURPOSE.key, stored.private_sealed),
  };
  for (;;) {
    const now = deps.clock.now();
    const rows = await takeDue(deps.pool, now, memberIdleSince(deps.settings, now), LEASE_MS, TAKE_MAX);
    await Promise.all(rows.map((row) => deliver(deps, row, key)));
    if (rows.length < TAKE_MAX) return;
  }
}

/** Brings notifications to browsers, outside any transaction; what was not brought is tried again for a day. */
export function notificationJobs(deps: PushDeps): JobSet {
  const { pool, clock, push, settings } = deps;
  return {
    partner: 'push',
    tasks: {
      'notifications.push': async () => {
        if (push) await deliverDue({ ...deps, push });
      },
      'notifications.forget': async () => {
        const now = clock.now();
        const before = new Date(now.getTime() - KEPT_MS);
        await inPortions(FORGOTTEN_PORTION, (count) => forgetNotifications(pool, before, count));
      },
      'notifications.unsubscribe': async () => {
        const now = clock.now();
        const times = { now, idleSince: memberIdleSince(settings, now) };
        let after: bigint | null = 0n;
        while (after !== null) after = await forgetExpired(pool, times, after, FORGOTTEN_PORTION);
      },
    },
    everyMinute: ['notifications.push', 'notifications.forget'],
    everyHour: ['notifications.unsubscribe'],
  };
}
