import { isDeepStrictEqual } from 'node:util';
import { exports, overview } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import { type Actor, auditJson, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { eachRow } from '../../platform/each-row.ts';
import { choicesOf } from '../../platform/http/choices.ts';
import { countedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import type { JobSet } from '../../platform/jobs.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  APPROVAL_KEYS,
  type ApprovalFilter,
  type ApprovalRow,
  endApproval,
  exportApprovals,
  findApproval,
  insertComment,
  lapseApprovals,
  lapseForClosedMembers,
  lapseForMakers,
  listApprovals,
  listComments,
  UNTIL_DECIDED,
} from './queries.ts';
import type { CheckedAction } from './read.ts';

export interface ApprovalDeps {
  pool: Pool;
  clock: Clock;
}

/** Requests whose time is over count no more, nor those whose maker may no longer make them. */
async function lapse(deps: ApprovalDeps, checked: readonly CheckedAction[]): Promise<void> {
  await lapseApprovals(deps.pool, deps.clock.now(), null);
  const makers = checked.flatMap(({ name: action, madeWith, onlyFor }) =>
    madeWith.flatMap((permission) =>
      (onlyFor?.[permission] ?? [null]).map((subject) => ({ action, permission, subject })),
    ),
  );
  await lapseForMakers(deps.pool, makers);
  await lapseForClosedMembers(deps.pool);
}

const lapsedBecause = (row: ApprovalRow) => row.lapsed_because ?? 'TIME';

/** Returns the request if this operator may decide it; its maker never may. */
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

/** Whether an operator made a request and may still make such: an API key has the maker's id, and fewer permissions. */
const isMaker = (row: ApprovalRow, operator: Operator, action: CheckedAction | undefined): boolean =>
  row.maker_id === operator.id &&
  action?.madeWith.some(
    (one) =>
      operator.permissions.has(one) &&
      (action.onlyFor?.[one]?.some((subject) => subject === row.subject) ?? true),
  ) === true;

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
    mayWithdraw: state === 'PENDING' && isMaker(row, operator, action),
    state,
    lapsedBecause: state === 'LAPSED' ? lapsedBecause(row) : null,
    madeAt: row.made_at.toISOString(),
    lapsesAt: row.lapses_at < UNTIL_DECIDED ? row.lapses_at.toISOString() : null,
    checker: row.checker,
    checkedAt: row.checked_at?.toISOString() ?? null,
    note: row.note,
  } as const;
};

type ListQuery = Omit<Static<typeof overview.listApprovals.query>, 'page' | 'limit'>;

const filterOf = (
  { whose, state, action, amountMin, amountMax }: ListQuery,
  operator: Operator,
): ApprovalFilter => ({
  state: choicesOf(state),
  action: choicesOf(action),
  amountMin,
  amountMax,
  makerId: whose === 'mine' ? operator.id : undefined,
  notMakerId: whose === 'others' ? operator.id : undefined,
});

type Actions = ReadonlyMap<string, CheckedAction>;

/** What is in force now beside a request, where it is pending and its action replaces something. */
async function currentOf(row: ApprovalRow, action: CheckedAction | undefined) {
  const current = row.state === 'PENDING' && action?.current ? await action.current(row) : null;
  // As JSON keeps it: a summary was stored so.
  const stored = current && JSON.parse(auditJson(current)!);
  const changed =
    stored !== null &&
    Object.keys(stored).some((name) => !isDeepStrictEqual(stored[name], row.summary[name]));
  return { current: stored as Record<string, unknown> | null, changed };
}

/** Answers what a request would change now, and what is written about it. */
function discussionCalls(declare: OperatorDeclare, deps: ApprovalDeps, actions: Actions): void {
  declare(overview.listApprovalKinds, async () => ({ kinds: [...actions.keys()].toSorted() }));
  declare(overview.readApproval, async ({ params, operator, refuse }) => {
    const row = await findApproval(deps.pool, params.id);
    if (!row) throw refuse('NO_DATA');
    const [now, comments] = await Promise.all([
      currentOf(row, actions.get(row.action)),
      listComments(deps.pool, row.id),
    ]);
    return {
      ...now,
      comments: comments.map(({ id, operator_id, by, text, written_at }) => ({
        id: String(id),
        at: written_at.toISOString(),
        by,
        mine: operator_id === operator.id,
        text,
      })),
    };
  });
  declare(overview.commentApproval, ({ params, body, actor, refuse }) =>
    inTransaction(deps.pool, async (tx) => {
      const row = await findApproval(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      const [now, text] = [deps.clock.now(), body.text.trim()];
      if (!(await insertComment(tx, { approvalId: row.id, operatorId: actor.id, text, now })))
        throw refuse('APPROVAL_LAPSED', { state: row.state });
      const after = { approval: row.id, asks: row.action, text };
      await writeAudit(tx, actor, { action: 'approval.comment', subject: row.subject, after }, now);
      return { message: 'OK' };
    }),
  );
}

/** Answers deciding many requests, each for itself. */
function bulkCalls(declare: OperatorDeclare, deps: ApprovalDeps, actions: Actions): void {
  declare(overview.approveMany, async ({ body, operator, actor, request }) => ({
    results: await eachRow(request.log, body.ids, async (id) => {
      const { row, action } = await requireChecker(refuseAny, deps, actions, id, operator);
      return { ...(await action.carryOut(refuseAny, row, actor)), approval: null };
    }),
  }));
  declare(overview.refuseMany, async ({ body, operator, actor, request }) => ({
    results: await eachRow(request.log, body.ids, async (id) => {
      const { row } = await requireChecker(refuseAny, deps, actions, id, operator);
      await end(refuseAny, deps, row, actor, 'REFUSED', body.note);
      return { state: 'REFUSED', approval: null };
    }),
  }));
}

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
    const list = { keys: APPROVAL_KEYS, standard: '-madeAt' };
    const { rows, page } = await countedPage(query, list, (slice, counted) =>
      listApprovals(deps.pool, filter, slice, counted),
    );
    const now = deps.clock.now();
    return { approvals: rows.map((row) => view(row, operator, actions.get(row.action), now)), ...page };
  });
  discussionCalls(declare, deps, actions);
  bulkCalls(declare, deps, actions);
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
    if (!isMaker(row, operator, actions.get(row.action))) throw refuse('UNAUTHORIZED');
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
