import { DAY_MS } from '@krapao/contract/durations';
import { members, type SHARED_KINDS, TIMELINE_KINDS, type TimelineKind } from '@krapao/contract/operator';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import { chosenOf } from '../../platform/http/choices.ts';
import { pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { maskedAccountNo } from '../../platform/masks.ts';
import type { Operator } from '../../platform/operators.ts';
import { readableKinds } from '../alerts/read.ts';
import { getMemberOrThrow, type MemberOperatorDeps } from './members.ts';
import {
  listShared,
  listTimeline,
  type SharedRow,
  TIMELINE_KEYS,
  type TimelineRow,
} from './timeline-queries.ts';

const SHARED_DAYS = 90;

/** The kinds of rows that need more than the permission to read members. */
const PERMISSIONS: Partial<Record<TimelineKind, string>> = { chat: 'chat.read', change: 'audit.read' };

const readableRows = ({ permissions }: Pick<Operator, 'permissions'>): TimelineKind[] =>
  TIMELINE_KINDS.filter((kind) => {
    const needed = PERMISSIONS[kind];
    return needed === undefined || permissions.has(needed);
  });

const rowView = (row: TimelineRow, currency: Currency) => ({
  id: row.id,
  at: row.at.toISOString(),
  // The query returns no other kind.
  kind: row.kind as TimelineKind,
  what: row.what,
  state: row.state,
  amount: row.amount === null ? null : fromMinor(row.amount, currency),
  from: row.source,
  to: row.target,
  by: row.by,
  text: row.text,
  subject: row.subject,
});

function sharedView(deps: MemberOperatorDeps, row: SharedRow) {
  const account =
    row.account_no_sealed && maskedAccountNo(deps.secrets.decrypt('bank-account', row.account_no_sealed));
  return {
    kind: row.kind as (typeof SHARED_KINDS)[number],
    member: { id: String(row.member_id), name: row.name },
    status: row.status,
    what: account ? `${row.bank_code} ${account}` : (row.what ?? ''),
    lastAt: row.last_at.toISOString(),
  };
}

/** Serves everything that happened to a member in one list, and the members they share something with. */
export function timelineCalls(declare: OperatorDeclare, deps: MemberOperatorDeps): void {
  declare(members.listTimeline, async ({ params, query, operator, refuse }) => {
    const { id, currency } = await getMemberOrThrow(refuse, deps, params.id);
    const slice = sliceOf(query, TIMELINE_KEYS, '-at');
    const readable = readableRows(operator);
    const kinds = chosenOf(query.kind, readable) ?? readable;
    const found = await listTimeline(deps.pool, id, slice, { kinds, alertKinds: readableKinds(operator) });
    const { rows, turns } = pageOf(found, slice);
    return { rows: rows.map((row) => rowView(row, currency)), ...turns };
  });
  declare(members.listShared, async ({ params, refuse }) => {
    const { id } = await getMemberOrThrow(refuse, deps, params.id);
    const since = new Date(deps.clock.now().getTime() - SHARED_DAYS * DAY_MS);
    const rows = await listShared(deps.pool, id, since);
    return { shared: rows.map((row) => sharedView(deps, row)) };
  });
}
