import { DAY_MS } from '@krapao/contract/durations';
import type { Pool } from '../../platform/database/db.ts';
import { deleteSessions } from './queries.ts';

/** How long a session is stored after its time: the risk score and invites look 90 days back, operators further. */
const KEPT_MS = 365 * DAY_MS;
/** Sessions deleted at a time. */
const SWEEP_MAX = 5_000;

/** Deletes members' sessions, with their addresses and browsers, a year after their time was over. */
export const sweepSessions = (pool: Pool, now: Date): Promise<void> =>
  deleteSessions(pool, new Date(now.getTime() - KEPT_MS), SWEEP_MAX);
