import { DAY_MS } from '@krapao/contract/durations';
import { toMinor } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { Settings } from '../../platform/settings.ts';
import {
  insertSmallAction,
  lockSmallActions,
  type SmallAction,
  sumSmallActions,
} from './small-action-queries.ts';

/** Actions of one person add up over this long. */
const WINDOW_MS = DAY_MS;

/** What one person may do within a day, to a member or by batches: minor units of a currency, or coins. */
export const mostAlone = (settings: Settings, unit: SmallAction['unit']): bigint =>
  unit === 'COIN'
    ? BigInt(settings.get('desk.coinMax'))
    : (toMinor(settings.get('desk.entryMax')[unit], unit) ?? 0n);

/**
 * Whether an operator may do this without a second person, and if so records it in the caller's transaction: what
 * they have done alone to the same member within 24 hours counts with it, so that a large action cannot be cut into small
 * ones. Their actions are decided one after the other. Actions that the installation allows every operator alone are not counted.
 */
export async function recordSmallAction(
  { clock, settings }: { clock: Clock; settings: Settings },
  tx: PoolClient,
  action: SmallAction,
): Promise<boolean> {
  if (!settings.get('desk.makerChecker')) return true;
  const most = mostAlone(settings, action.unit);
  const whole = action.amount * BigInt(action.members.length);
  if ((action.isBatch ? whole : action.amount) > most) return false;
  if (whole === 0n) return true;
  // Two amounts under one key both count: only one of them will be booked, and which one is not known yet.
  const noted = {
    ...action,
    reference: [action.reference, action.direction, action.unit, action.amount].join(':'),
  };
  await lockSmallActions(tx, action.operatorId);
  const now = clock.now();
  const before = await sumSmallActions(tx, noted, new Date(now.getTime() - WINDOW_MS));
  if (before.isRecorded) return true;
  if (before.member + action.amount > most) return false;
  if (action.isBatch && before.batches + whole > most) return false;
  await insertSmallAction(tx, noted, now);
  return true;
}
