import { DAY_MS } from '@krapao/contract/durations';
import type { Clock } from '../../platform/clock.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { Settings } from '../../platform/settings.ts';
import { insertAlone, lockAlone, type SmallAct, sumAlone } from './alone-queries.ts';

/** Acts of one person add up over this long. */
const WINDOW_MS = DAY_MS;

/**
 * Whether an operator may do this without a second person, and if so notes it in the transaction of the asking: what
 * he has done alone to the same member within 24 hours counts with it, so that a large act cannot be cut into small
 * ones. His acts are decided one after the other. What the installation lets everybody do alone is not counted.
 */
export async function mayActAlone(
  { clock, settings }: { clock: Clock; settings: Settings },
  tx: PoolClient,
  act: SmallAct,
): Promise<boolean> {
  if (!settings.get('desk.makerChecker')) return true;
  const whole = act.amount * BigInt(act.members.length);
  if ((act.isBatch ? whole : act.amount) > act.most) return false;
  if (whole === 0n) return true;
  // Two amounts under one key both count: only one of them will be booked, and nobody knows yet which.
  const noted = { ...act, reference: [act.reference, act.direction, act.unit, act.amount].join(':') };
  await lockAlone(tx, act.operatorId);
  const now = clock.now();
  const before = await sumAlone(tx, noted, new Date(now.getTime() - WINDOW_MS));
  if (before.isNoted) return true;
  if (before.member + act.amount > act.most) return false;
  if (act.isBatch && before.batches + whole > act.most) return false;
  await insertAlone(tx, noted, now);
  return true;
}
