import { MINUTE_MS } from '@krapao/contract/durations';
import { type Permission, TARGET_MINUTES, today, type WorkKind } from '@krapao/contract/operator';
import { currenciesOf, fromMinor } from '@krapao/contract/shared';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Operator } from '../../platform/operators.ts';
import { readableKinds } from '../alerts/read.ts';
import type { CheckedAction } from '../approvals/read.ts';
import { assignedAfter } from '../assignments/read.ts';
import { addDays, dayAt } from '../reconciliation/read.ts';
import { dayStart } from './day-start.ts';
import type { OverviewDeps } from './overview.ts';
import { listHours, listWork, type WorkRow } from './work-queries.ts';

const OLDEST_MAX = 5;
const MINE_MAX = 20;
/** What has waited so many times its target is as urgent as can be; then the queue with the shorter target goes first. */
const URGENCY_MAX = 10;

/** What dealing with an item of each queue requires; requests require what their action does. */
const PERMISSIONS: Record<Exclude<WorkKind, 'approvals'>, Permission> = {
  withdrawals: 'withdrawal.decide',
  unmatched: 'unmatched.settle',
  reports: 'unmatched.settle',
  slips: 'slip.decide',
  kyc: 'member.kyc',
  transfers: 'transfer.settle',
  chats: 'chat.answer',
  alerts: 'alert.close',
};

/** The kinds of alerts or actions of requests that an operator may deal with; null: not the queue at all. */
function namesOf(kind: WorkKind, operator: Operator, actions: readonly CheckedAction[]): string[] | null {
  if (kind === 'approvals') {
    const names = actions
      .filter(({ permission }) => operator.permissions.has(permission))
      .map(({ name }) => name);
    return names.length > 0 && operator.permissions.has('approval.read') ? names : null;
  }
  if (!operator.permissions.has(PERMISSIONS[kind])) return null;
  return kind === 'alerts' ? readableKinds(operator) : [];
}

/** Within how many minutes items of a queue should be dealt with; that of conversations is a setting. */
const targetOf = ({ settings }: OverviewDeps, kind: WorkKind): number =>
  kind === 'chats' ? settings.get('chat.answerMinutes') : TARGET_MINUTES[kind];

interface Item extends WorkRow {
  kind: WorkKind;
  targetMinutes: number;
  /** Share of the queue's target that it has waited, URGENCY_MAX at most; above 1 it is late. */
  urgency: number;
}

/** Reads the caller's items of every queue they may deal with, the most urgent first. */
async function listItems(
  deps: OverviewDeps,
  operator: Operator,
  actions: readonly CheckedAction[],
): Promise<Item[]> {
  const now = deps.clock.now();
  const kinds = (Object.keys(TARGET_MINUTES) as WorkKind[]).map(async (kind) => {
    const names = namesOf(kind, operator, actions);
    if (!names) return [];
    const filter = { assignedAfter: assignedAfter(deps), operatorId: operator.id, now, names };
    const rows = await listWork(deps.pool, kind, filter);
    const targetMinutes = targetOf(deps, kind);
    return rows.map((row) => ({
      ...row,
      kind,
      targetMinutes,
      urgency: Math.min(URGENCY_MAX, (now.getTime() - row.since.getTime()) / (targetMinutes * MINUTE_MS)),
    }));
  });
  return (await Promise.all(kinds))
    .flat()
    .toSorted(
      (a, b) =>
        b.urgency - a.urgency || a.targetMinutes - b.targetMinutes || a.since.getTime() - b.since.getTime(),
    );
}

const view = ({ kind, id, title, amount, currency, since, mine, urgency, targetMinutes }: Item) => ({
  kind,
  id,
  title,
  amount: amount === null || currency === null ? null : fromMinor(amount, currency),
  currency,
  since: since.toISOString(),
  targetMinutes,
  isLate: urgency > 1,
  mine,
});

const HOURS = 24;
const DAYS = [
  ['today', 0],
  ['yesterday', 1],
  ['weekBefore', 7],
] as const;

async function readHours(deps: OverviewDeps) {
  const now = deps.clock.now();
  const midnight = dayStart(now);
  const rows = await listHours(deps.pool, midnight, now);
  const days = DAYS.flatMap(([name, ago]) =>
    currenciesOf(deps.config.variant).map((currency) => {
      const own = rows.filter((row) => row.day === ago && row.currency === currency);
      const byHour = (side: 'came' | 'went') =>
        Array.from({ length: HOURS }, (_, hour) =>
          fromMinor(own.find((row) => row.hour === hour)?.[side] ?? 0n, currency),
        );
      const byNow = (side: 'came_by_now' | 'went_by_now') =>
        fromMinor(
          own.reduce((sum, row) => sum + row[side], 0n),
          currency,
        );
      return {
        day: addDays(dayAt(now), -ago),
        name,
        currency,
        in: byHour('came'),
        out: byHour('went'),
        inByNow: byNow('came_by_now'),
        outByNow: byNow('went_by_now'),
      };
    }),
  );
  return { hour: Math.floor((now.getTime() - midnight.getTime()) / (60 * MINUTE_MS)), days };
}

/** Answers what the caller does next, and today beside other days. */
export function workCalls(
  declare: OperatorDeclare,
  deps: OverviewDeps,
  actions: readonly CheckedAction[],
): void {
  declare(today.readWork, async ({ operator }) => {
    const items = await listItems(deps, operator, actions);
    const free = items.filter(({ mine }) => !mine);
    const own = items.filter(({ mine }) => mine);
    const next = own[0] ?? free[0];
    return {
      next: next ? view(next) : null,
      oldest: free
        .toSorted((a, b) => a.since.getTime() - b.since.getTime())
        .slice(0, OLDEST_MAX)
        .map(view),
      mine: own.slice(0, MINE_MAX).map(view),
    };
  });
  declare(today.readHours, () => readHours(deps));
}
