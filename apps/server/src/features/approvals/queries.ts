import { type Db, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  type Slice,
  textKey,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';

export interface ApprovalRow {
  id: string;
  action: string;
  subject: string;
  payload: unknown;
  summary: Record<string, unknown>;
  reason: string | null;
  /** Null for a request a member made. */
  maker_id: bigint | null;
  /** An operator, or a member by the name they had before the request, where it names that. */
  maker: string;
  state: 'PENDING' | 'APPROVED' | 'REFUSED' | 'WITHDRAWN' | 'LAPSED';
  made_at: Date;
  lapses_at: Date;
  /** Why a request lapsed before its time was over. */
  lapsed_because: 'MAKER' | 'PASSWORD' | null;
  checker: string | null;
  checked_at: Date | null;
  note: string | null;
}

const COLUMNS = `select a.id, a.action, a.subject, a.payload, a.summary, a.reason, a.maker_id, coalesce(m.name, a.summary ->> 'name', b.name) as maker /* never null */, a.state, a.made_at, a.lapses_at, a.lapsed_because,
    c.name as checker, a.checked_at, a.note`;
const FROM = `approval a left join operator m on m.id = a.maker_id left join member b on b.id = a.maker_member_id left join operator c on c.id = a.checker_id`;
const SELECT = `${COLUMNS} from ${FROM}` as const;

export async function findApproval(db: Db, id: string): Promise<ApprovalRow | undefined> {
  return (await db.query(`${SELECT} where a.id = $1`, [id])).rows[0];
}

/** When requests lapse that stay until they are decided, see approval_stays. */
export const UNTIL_DECIDED = new Date('9999-12-31T00:00:00Z');

/** Requests whose time is over count no more; of one subject, or all. */
export async function lapseApprovals(db: Db, now: Date, subject: string | null): Promise<void> {
  await db.query(
    "update approval set state = 'LAPSED' where state = 'PENDING' and lapses_at <= $1 and ($2::text is null or subject = $2)",
    [now, subject],
  );
}

/**
 * Requests count no more whose maker is no longer active, or may no longer make such a request, but for those that stay
 * until they are decided.
 * @param makers each action with each permission that suffices for it, for one subject or (null) for all
 */
export async function lapseForMakers(
  db: Db,
  makers: readonly { action: string; permission: string; subject: string | null }[],
): Promise<void> {
  await db.query(
    `update approval a set state = 'LAPSED', lapsed_because = 'MAKER'
     from operator o join operator_role r on r.code = o.role
     where a.state = 'PENDING' and a.lapses_at < $4 and o.id = a.maker_id and (o.status <> 'ACTIVE' or not exists (
       select from unnest($1::text[], $2::text[], $3::text[]) made (action, permission, subject)
       where made.action = a.action and made.permission = any(r.permissions)
         and (made.subject is null or made.subject = a.subject)))`,
    [
      makers.map(({ action }) => action),
      makers.map(({ permission }) => permission),
      makers.map(({ subject }) => subject),
      UNTIL_DECIDED,
    ],
  );
}

/** Pending requests of an operator count no more, but for those that stay until they are decided. */
export async function lapseRequestsOf(db: Db, makerId: bigint): Promise<void> {
  await db.query(
    `update approval set state = 'LAPSED', lapsed_because = 'MAKER'
     where state = 'PENDING' and maker_id = $1 and lapses_at < $2`,
    [makerId, UNTIL_DECIDED],
  );
}

/** Lapses a member's pending request of one kind for a new password; returns its id, or null when none is pending. */
export async function lapseForPassword(
  db: Db,
  memberId: bigint,
  action: string,
  now: Date,
): Promise<string | null> {
  const result = await db.query(
    `update approval set state = 'LAPSED', lapsed_because = 'PASSWORD'
     where state = 'PENDING' and maker_member_id = $1 and action = $2 and subject = 'member:' || $1 and lapses_at > $3
     returning id`,
    [memberId, action, now],
  );
  return result.rows[0]?.id ?? null;
}

/** Requests of members count no more whose accounts are closed. */
export async function lapseForClosedMembers(db: Db): Promise<void> {
  await db.query(
    `update approval a set state = 'LAPSED', lapsed_because = 'MAKER' from member m
     where a.state = 'PENDING' and m.id = a.maker_member_id and m.status = 'CLOSED'`,
  );
}

/** Adds a request; null when one for the same action and subject is pending. */
export async function insertApproval(
  db: Db,
  row: {
    id: string;
    action: string;
    subject: string;
    payload: string;
    summary: string;
    reason: string | null;
    maker: { operatorId: bigint } | { memberId: bigint };
    madeAt: Date;
    lapsesAt: Date;
  },
): Promise<boolean> {
  const result = await db.query(
    `insert into approval (id, action, subject, payload, summary, reason, maker_id, maker_member_id, state, made_at, lapses_at)
     values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, 'PENDING', $9, $10)
     on conflict (action, subject) where state = 'PENDING' do nothing`,
    [
      row.id,
      row.action,
      row.subject,
      row.payload,
      row.summary,
      row.reason,
      'operatorId' in row.maker ? row.maker.operatorId : null,
      'memberId' in row.maker ? row.maker.memberId : null,
      row.madeAt,
      row.lapsesAt,
    ],
  );
  return result.rowCount === 1;
}

/** The pending request about a subject: for one action, or for any. */
export async function findPending(db: Db, subject: string, action: string | null): Promise<string | null> {
  const result = await db.query(
    "select id from approval where subject = $1 and ($2::text is null or action = $2) and state = 'PENDING'",
    [subject, action],
  );
  return result.rows[0]?.id ?? null;
}

/** The newest request of a kind about a subject. */
export async function findNewest(db: Db, subject: string, action: string): Promise<ApprovalRow | undefined> {
  const sql =
    `${SELECT} where a.subject = $1 and a.action = $2 order by a.made_at desc, a.id desc limit 1` as const;
  return (await db.query(sql, [subject, action])).rows[0];
}

/** Ends a pending request that has not lapsed; false when it was decided or lapsed before. */
export async function endApproval(
  db: Db,
  id: string,
  end: {
    state: 'APPROVED' | 'REFUSED' | 'WITHDRAWN';
    checkerId: bigint | null;
    note: string | null;
    now: Date;
  },
): Promise<boolean> {
  const result = await db.query(
    `update approval set state = $2, checker_id = $3, note = $4, checked_at = $5
     where id = $1 and state = 'PENDING' and lapses_at > $5`,
    [id, end.state, end.checkerId, end.note, end.now],
  );
  return result.rowCount === 1;
}

/** Makes an approved request pending again whose action was undone before it was carried out. */
export async function reopenApproval(db: Db, id: string): Promise<void> {
  await db.query(
    "update approval set state = 'PENDING', checker_id = null, checked_at = null where id = $1 and state = 'APPROVED'",
    [id],
  );
}

export interface ApprovalFilter {
  state: Choices;
  makerId?: bigint | undefined;
  notMakerId?: bigint | undefined;
  action: Choices;
  /** Bounds of the amount, in major units. */
  amountMin?: number | undefined;
  amountMax?: number | undefined;
}

const WHERE = `($1::text[] is null or a.state = any($1)) and ($2::bigint is null or a.maker_id = $2) and ($3::bigint is null or a.maker_id is distinct from $3)
  and ($4::text[] is null or a.action = any($4)) and not a.state = any($7::text[]) and not a.action = any($8::text[])
  and ($5::float8 is null or case jsonb_typeof(a.summary -> 'amount') when 'number' then (a.summary ->> 'amount')::float8 >= $5 end)
  and ($6::float8 is null or case jsonb_typeof(a.summary -> 'amount') when 'number' then (a.summary ->> 'amount')::float8 <= $6 end)`;
const valuesOf = (filter: ApprovalFilter) =>
  [
    filter.state.only,
    filter.makerId ?? null,
    filter.notMakerId ?? null,
    filter.action.only,
    filter.amountMin ?? null,
    filter.amountMax ?? null,
    filter.state.not,
    filter.action.not,
  ] as const;
/** What the list is ordered by. */
export const APPROVAL_KEYS = { orders: { madeAt: timeKey('a.made_at') }, id: textKey('a.id') };

/** A page of requests by filter, and how many fit it, `counted` at the most. */
export async function listApprovals(
  db: Db,
  filter: ApprovalFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<ApprovalRow>[]; total: number }> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: COLUMNS,
      from: `${FROM} where ${WHERE}`,
      ...APPROVAL_KEYS,
      parameters: ['$9', '$10', '$11'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(`select count(*)::int as total from (select from approval a where ${WHERE} limit $9) found`, [
      ...values,
      counted,
    ]),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

export interface CommentRow {
  id: bigint;
  operator_id: bigint;
  by: string;
  text: string;
  written_at: Date;
}

/** What was written about a request, oldest first. */
export async function listComments(db: Db, approvalId: string): Promise<CommentRow[]> {
  const result = await db.query(
    `select c.id, c.operator_id, o.name as by, c.text, c.written_at from approval_comment c join operator o on o.id = c.operator_id
     where c.approval_id = $1 order by c.id limit 200`,
    [approvalId],
  );
  return result.rows;
}

/** Adds a comment to a request that is pending; false when it is decided. */
export async function insertComment(
  db: Db,
  comment: { approvalId: string; operatorId: bigint; text: string; now: Date },
): Promise<boolean> {
  const result = await db.query(
    `insert into approval_comment (approval_id, operator_id, text, written_at)
     select a.id, $2, $3, $4 from approval a where a.id = $1 and a.state = 'PENDING' and a.lapses_at > $4`,
    [comment.approvalId, comment.operatorId, comment.text, comment.now],
  );
  return result.rowCount === 1;
}

/** The same rows for a file. */
export const exportApprovals = (filter: ApprovalFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select x.id, x.action, x.subject, x.summary, x.maker, x.reason, x.state, ${timeSql('x.made_at')} as made_at, x.checker,
      ${timeSql('x.checked_at')} as checked_at, x.note
    from (${SELECT} where ${WHERE}) x order by ${orderBy({ madeAt: 'x.made_at' }, sort, 'x.id')}`),
    valuesOf(filter),
    'id',
  );

export async function countPending(db: Db, now: Date): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    "select count(*)::int as count, min(made_at) as oldest from approval where state = 'PENDING' and lapses_at > $1",
    [now],
  );
  return result.rows[0]!;
}
