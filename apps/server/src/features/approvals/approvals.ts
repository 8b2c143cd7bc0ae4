import { exports, overview } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { rangeOf } from '../../platform/http/list.ts';
import type { JobSet } from '../../platform/jobs.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ApprovalFilter,
  type ApprovalRow,
  endApproval,
  exportApprovals,
  findApproval,
  lapseApprovals,
  lapseForMakers,
  listApprovals,
} from './queries.ts';
import type { CheckedAction } from './read.ts';

export interface ApprovalDeps {
  pool: Pool;
  clock: Clock;
}

/** Requests whose time is over count no more, nor those whose maker may no longer make them. */
async function lapse(deps: ApprovalDeps, checked: readonly CheckedAction[]): Promise<void> {
  await lapseApprovals(deps.pool, deps.clock.now(), null);
  const makers = checked.flatMap(({ name: action, madeWith }) =>
    madeWith.map((permission) => ({ action, permission })),
  );
  await lapseForMakers(deps.pool, makers);
}

const lapsedBecause = (row: ApprovalRow) => row.lapsed_because ?? 'TIME';

/** The request, if this operator may decide it; whoever made it never may. */
async function requireChecker(
  refuse: Refuse<'NO_DATA' | 'UNAUTHORIZED' | 'APPROVAL_MAKER' | 'APPROVAL_LAPSED'>,
  deps: ApprovalDeps,
  actions: ReadonlyMap<string, CheckedAction>,
  id: string,
  operator: Operator,
): Promise<{ row: ApprovalRow; action: CheckedAction }> {
  await lapse(deps, [...actions.values()]);
  const row = await findApproval(deps.pool, id);
  const action = row && actions.get(row.action);
  if (!row || !action) throw refuse('NO_DATA');
  if (!operator.permissions.has(action.permission)) throw refuse('UNAUTHORIZED');
  if (row.maker_id === operator.id) throw refuse('APPROVAL_MAKER');
  if (row.state !== 'PENDING' || row.lapses_at <= deps.clock.now())
    throw refuse('APPROVAL_LAPSED', { state: row.state, because: lapsedBecause(row) });
  return { row, action };
}

async function end(
  refuse: Refuse<'APPROVAL_LAPSED'>,
  deps: ApprovalDeps,
  row: ApprovalRow,
  actor: Actor,
  state: 'REFUSED' | 'WITHDRAWN',
  note: string | null,
): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.pool, async (tx) => {
    const checkerId = state === 'REFUSED' ? actor.id : null;
    if (!(await endApproval(tx, row.id, { state, checkerId, note, now }))) throw refuse('APPROVAL_LAPSED');
    const action = state === 'REFUSED' ? 'approval.refuse' : 'approval.withdraw';
    const about = { approval: row.id, asks: row.action, maker: row.maker };
    await writeAudit(tx, actor, { action, subject: row.subject, before: about, reason: note }, now);
  });
}

const view = (row: ApprovalRow, operator: Operator, action: CheckedAction | undefined, now: Date) => {
  const mine = row.maker_id === operator.id;
  const state = row.state === 'PENDING' && row.lapses_at <= now ? 'LAPSED' : row.state;
  return {
    id: row.id,
    action: row.action,
    subject: row.subject,
    summary: row.summary,
    reason: row.reason,
    maker: row.maker,
    mine,
    mayCheck:
      !mine && state === 'PENDING' && action !== undefined && operator.permissions.has(action.permission),
    state,
    lapsedBecause: state === 'LAPSED' ? lapsedBecause(row) : null,
    madeAt: row.made_at.toISOString(),
    lapsesAt: row.lapses_at.toISOString(),
    checker: row.checker,
    checkedAt: row.checked_at?.toISOString() ?? null,
    note: row.note,
  } as const;
};

type ListQuery = Omit<Static<typeof overview.listApprovals.query>, 'page' | 'limit'>;

const filterOf = ({ state, whose }: ListQuery, operator: Operator): ApprovalFilter => ({
  state,
  makerId: whose === 'mine' ? operator.id : undefined,
  notMakerId: whose === 'others' ? operator.id : undefined,
});

/** Answers the requests that wait for a second person. */
export function approvalCalls(
  declare: OperatorDeclare,
  deps: ApprovalDeps & ExportDeps,
  checked: readonly CheckedAction[],
): void {
  const actions = new Map(checked.map((action) => [action.name, action]));
  declare(exports.exportApprovals, async ({ params, query, operator, actor, reply }) => {
    await lapse(deps, checked);
    const source = exportApprovals(filterOf(query, operator), query.sort ?? '-madeAt');
    return sendExport(deps, { actor, reply, name: 'approvals', ...params, filters: query }, source);
  });
  declare(overview.listApprovals, async ({ query, operator }) => {
    const filter = filterOf(query, operator);
    await lapse(deps, checked);
    const { rows, total } = await listApprovals(deps.pool, filter, {
      ...rangeOf(query),
      sort: query.sort ?? '-madeAt',
    });
    const now = deps.clock.now();
    return { approvals: rows.map((row) => view(row, operator, actions.get(row.action), now)), total };
  });
  declare(overview.approve, async ({ params, operator, actor, refuse }) => {
    const { row, action } = await requireChecker(refuse, deps, actions, params.id, operator);
    return { ...(await action.carryOut(refuse, row, actor)), approval: null };
  });
  declare(overview.refuse, async ({ params, body, operator, actor, refuse }) => {
    const { row } = await requireChecker(refuse, deps, actions, params.id, operator);
    await end(refuse, deps, row, actor, 'REFUSED', body.note);
    return { message: 'OK' };
  });
  declare(overview.withdraw, async ({ params, operator, actor, refuse }) => {
    const row = await findApproval(deps.pool, params.id);
    if (!row) throw refuse('NO_DATA');
    if (row.maker_id !== operator.id) throw refuse('UNAUTHORIZED');
    await end(refuse, deps, row, actor, 'WITHDRAWN', null);
    return { message: 'OK' };
  });
}

/** The job that lets old requests lapse. */
export function approvalJobs(deps: ApprovalDeps, checked: readonly CheckedAction[]): JobSet {
  return {
    tasks: { 'approvals.lapse': () => lapse(deps, checked) },
    everyMinute: ['approvals.lapse'],
  };
}
