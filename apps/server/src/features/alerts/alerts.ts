import { type AlertKind, type AlertState, ASSIGNMENT_FILTERS, alerts } from '@krapao/contract/operator';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { choicesOf, chosenOf } from '../../platform/http/choices.ts';
import { countedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  ALERT_KEYS,
  type AlertRow,
  assignAlert,
  endAlertBy,
  type ListedAlert,
  listAlerts,
  lockAlert,
} from './queries.ts';
import { readableKinds } from './read.ts';

interface Deps {
  pool: Pool;
  clock: Clock;
}

type RefuseAlert = Refuse<'NO_DATA' | 'ROW_CHANGED' | 'CLAIMED'>;

const alertView = (row: ListedAlert, operatorId: bigint) => ({
  id: String(row.id),
  // The database takes no other kind.
  kind: row.kind as AlertKind,
  subject: row.subject,
  detail: row.detail,
  state: row.state,
  openedAt: row.opened_at.toISOString(),
  assignee:
    row.assignee === null
      ? null
      : { by: row.assignee, since: row.taken_at!.toISOString(), mine: row.assignee_id === operatorId },
  closedAt: row.closed_at?.toISOString() ?? null,
  closedBy: row.closed_by,
  reason: row.reason,
  dismissed:
    row.dismissed_reason === null
      ? null
      : { by: row.dismissed_by!, at: row.dismissed_at!.toISOString(), reason: row.dismissed_reason },
});

/** Locks an alert that the operator may see; throws NO_DATA for any other. */
async function lockOrThrow(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  id: string,
  operator: Operator,
): Promise<AlertRow> {
  const row = await lockAlert(tx, id, readableKinds(operator));
  if (!row) throw refuse('NO_DATA');
  return row;
}

/** Throws when an alert is over, or when an operator other than those named investigates it. */
function requireOpenTo(refuse: RefuseAlert, row: AlertRow, names: readonly string[]): void {
  if (row.closed_at) throw refuse('ROW_CHANGED', { state: row.state });
  if (row.assignee !== null && !names.includes(row.assignee)) throw refuse('CLAIMED', { by: row.assignee });
}

const transition = (row: AlertRow, action: string, after: { state: AlertState; by?: string }) => ({
  action,
  subject: row.subject,
  before: { kind: row.kind, state: row.state, by: row.assignee ?? undefined },
  after,
});

/** Gives an alert to the caller; a repeat changes nothing. */
async function take(
  refuse: RefuseAlert,
  tx: PoolClient,
  row: AlertRow,
  actor: Actor,
  { from, now }: { from: string | undefined; now: Date },
): Promise<void> {
  requireOpenTo(refuse, row, from === undefined ? [actor.name] : [actor.name, from]);
  if (row.assignee_id === actor.id) return;
  await assignAlert(tx, row.id, actor.id, now);
  const after = { state: 'INVESTIGATING', by: actor.name } as const;
  await writeAudit(tx, actor, transition(row, 'alert.take', after), now);
}

/** Ends an alert that is unassigned or assigned to the caller; a repeat of the same end changes nothing. */
async function end(
  refuse: RefuseAlert,
  tx: PoolClient,
  row: AlertRow,
  actor: Actor,
  ending: { outcome: 'RESOLVED' | 'DISMISSED'; reason: string; now: Date },
): Promise<void> {
  const { outcome, reason, now } = ending;
  if (row.state === outcome && row.closed_by === actorName(actor) && row.reason === reason) return;
  requireOpenTo(refuse, row, [actor.name]);
  await endAlertBy(tx, row.id, { ...ending, by: actorName(actor) });
  const action = outcome === 'RESOLVED' ? 'alert.resolve' : 'alert.dismiss';
  await writeAudit(tx, actor, { ...transition(row, action, { state: outcome }), reason }, now);
}

const ENDINGS = [
  [alerts.resolveAlert, 'RESOLVED'],
  [alerts.dismissAlert, 'DISMISSED'],
] as const;

/** Lists alerts and moves them through their life; every change is decided under the row's lock and audited. */
export function alertCalls(declare: OperatorDeclare, deps: Deps): void {
  const { pool, clock } = deps;
  declare(alerts.listAlerts, async ({ query, operator }) => {
    const readable = readableKinds(operator);
    const filter = {
      kinds: chosenOf(query.kind, readable) ?? readable,
      state: choicesOf(query.state),
      assigned: chosenOf(query.assigned, ASSIGNMENT_FILTERS),
      operatorId: operator.id,
    };
    const { rows, page } = await countedPage(
      query,
      { keys: ALERT_KEYS, standard: 'openedAt' },
      (slice, counted) => listAlerts(pool, filter, slice, counted),
    );
    return { alerts: rows.map((row) => alertView(row, operator.id)), ...page };
  });
  declare(alerts.takeAlert, ({ params, body, actor, operator, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await lockOrThrow(refuse, tx, params.id, operator);
      await take(refuse, tx, row, actor, { from: body.from, now: clock.now() });
      return { message: 'OK' };
    }),
  );
  declare(alerts.releaseAlert, ({ params, actor, operator, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await lockOrThrow(refuse, tx, params.id, operator);
      if (row.state !== 'INVESTIGATING' || row.assignee_id !== actor.id) return { message: 'OK' };
      await assignAlert(tx, row.id, null, clock.now());
      await writeAudit(tx, actor, transition(row, 'alert.release', { state: 'OPEN' }), clock.now());
      return { message: 'OK' };
    }),
  );
  for (const [call, outcome] of ENDINGS)
    declare(call, ({ params, body, actor, operator, refuse }) =>
      inTransaction(pool, async (tx) => {
        const row = await lockOrThrow(refuse, tx, params.id, operator);
        await end(refuse, tx, row, actor, { outcome, reason: body.reason, now: clock.now() });
        return { message: 'OK' };
      }),
    );
}
