import type { Currency, LocalizedText, MemberStatus } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  textKey,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';

export interface MemberRow {
  id: bigint;
  phone: string;
  name: string;
  status: MemberStatus;
  currency: Currency;
  source_code: string;
  created_at: Date;
  wallet_account: bigint;
  wallet: bigint;
  bank_code: string | null;
  bank_name: string | null;
  bank_name_en: string | null;
  bank_color: string | null;
  account_no_sealed: Buffer | null;
  account_name: string | null;
  tags: string[];
}

const COLUMNS = `m.id, m.phone, m.name, m.status, m.currency, m.source_code, m.created_at, m.wallet_account, w.balance as wallet,
  a.bank_code, b.name_local as bank_name, b.name_en as bank_name_en, b.color as bank_color, a.account_no_sealed, a.account_name,
  array(select t.tag from member_tag t where t.member_id = m.id order by t.tag) as tags`;
const FROM = `member m join ledger_account w on w.id = m.wallet_account
  left join bank_account a on a.member_id = m.id and a.status = 'ACTIVE' left join bank b on b.code = a.bank_code
  left join kyc_check k on k.member_id = m.id`;

export interface MemberFilter {
  /** As typed: an id, a phone, part of a name here or on the bank account, or what a bank prints of a number. */
  text: string | null;
  phone: string | null;
  /** Fingerprints of the typed digits as an account number at each bank. */
  fingerprints: readonly Buffer[];
  /** Fingerprints of the typed text as the visible digits of an account number. */
  digits: readonly Buffer[];
  status: Choices;
  source: Choices;
  bank: Choices;
  tag: Choices;
  kyc: Choices;
  from: Date | null;
  to: Date | null;
}

/** Without an identity check. PostgreSQL estimates few rows for IS NULL after an outer join, but most members here. */
const UNCHECKED = `coalesce(k.state, '') <> all(array['REQUESTED', 'SUBMITTED', 'VERIFIED', 'REFUSED'])`;
/** With one text for all filters, PostgreSQL leaves out of the plan what is not filtered by, the join of identity checks too. */
const WHERE = `($1::text is null or m.id::text = $1 or m.phone = $2 or position(lower($1) in lower(m.name)) > 0 or a.account_no_fingerprint = any($3::bytea[])
    or (length($1) > 1 and position(lower($1) in lower(a.account_name)) > 0) or (length($1) = 4 and right(m.phone, 4) = $1)
    or a.id in (select d.bank_account_id from bank_account_digits d where d.last_fingerprint = any($9::bytea[]) or d.middle_fingerprint = any($9::bytea[])))
  and ($4::text[] is null or m.status = any($4)) and ($5::text[] is null or m.source_code = any($5)) and ($6::text[] is null or a.bank_code = any($6))
  and m.status <> all($11::text[]) and m.source_code <> all($12::text[]) and (a.bank_code = any($13::text[])) is not true
  and ($7::timestamptz is null or m.created_at >= $7) and ($8::timestamptz is null or m.created_at < $8)
  and ($10::text[] is null or m.id in (select t.member_id from member_tag t where t.tag = any($10)))
  and not exists (select from member_tag t where t.member_id = m.id and t.tag = any($14::text[]))
  and ($15::text[] is null or k.state = any($15) or ('NONE' = any($15) and ${UNCHECKED}))
  and ($16::text[] = '{}' or ((k.state = any($16)) is not true and ('NONE' <> all($16) or k.member_id is not null)))`;

export interface CurrencySum {
  currency: Currency;
  count: number;
  amount: bigint;
}

const valuesOf = (filter: MemberFilter) =>
  [
    filter.text,
    filter.phone,
    filter.fingerprints,
    filter.status.only,
    filter.source.only,
    filter.bank.only,
    filter.from,
    filter.to,
    filter.digits,
    filter.tag.only,
    filter.status.not,
    filter.source.not,
    filter.bank.not,
    filter.tag.not,
    filter.kyc.only,
    filter.kyc.not,
  ] as const;
const ORDERS = { createdAt: timeKey('m.created_at'), name: textKey('m.name') } as const;
/** What the list is ordered by. */
export const MEMBER_KEYS = { orders: ORDERS, id: numberKey('m.id') };

/** A page of members by filter, and count and wallets' sum of those that fit it, of `counted` at the most. */
export async function listMembers(
  db: Reads,
  filter: MemberFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: (MemberRow & { cursor_value: string })[]; sums: CurrencySum[] }> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `${FROM} where ${WHERE}`,
      ...MEMBER_KEYS,
      parameters: ['$17', '$18', '$19'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      // The balances are looked up for the counted rows alone: a join would be planned for all members.
      `select currency, count(*)::int as count, coalesce(sum((select w.balance from ledger_account w where w.id = found.wallet_account)), 0)::bigint as amount
       from (select m.currency, m.wallet_account from member m left join bank_account a on a.member_id = m.id and a.status = 'ACTIVE'
         left join kyc_check k on k.member_id = m.id where ${WHERE} limit $17) found group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportMembers = (filter: MemberFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select m.id, left(m.phone, 3) || '•••' || right(m.phone, 4) as phone, m.name, m.currency, ${moneySql('w.balance', 'm.currency')} as wallet, m.status,
      a.bank_code, m.source_code, m.inviter_id, ${timeSql('m.created_at')} as created_at
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 'm.id')}`),
    valuesOf(filter),
    'id',
  );

export async function listBankCodes(db: Db): Promise<string[]> {
  return (await db.query('select code from bank')).rows.map((row) => row.code);
}

export interface MemberDetailRow extends MemberRow {
  source_names: LocalizedText;
  coins: bigint;
  held: bigint;
  in_games: bigint;
  inviter_id: bigint | null;
  inviter_name: string | null;
  invited: number;
  unknown_invite_code: string | null;
  age_confirmed: number | null;
  age_confirmed_at: Date | null;
  has_pin: boolean;
}

export async function findMember(db: Db, id: string): Promise<MemberDetailRow | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const result = await db.query(
    `select ${COLUMNS}, c.balance as coins, h.balance as held,
       coalesce((select sum(g.balance) from ledger_account g where g.member_id = m.id and g.kind = 'mirror'), 0)::bigint as in_games,
       json_build_object('th', s.description_th, 'la', s.description_la, 'en', s.description_en) as source_names,
       m.inviter_id, i.name as inviter_name, (select count(*)::int from member x where x.inviter_id = m.id) as invited, m.unknown_invite_code, m.age_confirmed, m.age_confirmed_at,
       m.pin_hash is not null as has_pin
     from ${FROM} join ledger_account c on c.id = m.coin_account join ledger_account h on h.id = m.hold_account
     join source s on s.code = m.source_code left join member i on i.id = m.inviter_id where m.id = $1`,
    [id],
  );
  return result.rows[0];
}

/** Locks a member for a change of their status and answers what they still have. */
export async function lockMember(
  db: Db,
  id: string,
): Promise<{ id: bigint; status: MemberRow['status'] } | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const result = await db.query('select m.id, m.status from member m where m.id = $1 for update of m', [id]);
  return result.rows[0];
}

interface OpenItems {
  wallet: boolean;
  games: boolean;
  entries: boolean;
  qr: boolean;
  refund: boolean;
}

/**
 * Names what a member still has or has open, so that their account cannot be closed: by the last reading of the games.
 * Neither coins are money, nor parts of a credit that a game does not move.
 */
export async function listOpenItems(db: Db, memberId: bigint): Promise<(keyof OpenItems)[]> {
  const result = await db.query(
    `select
       exists (select 1 from ledger_account a where a.member_id = $1 and a.kind not in ('coin', 'mirror', 'refund_purse') and a.balance <> 0) as wallet,
       exists (select 1 from ledger_account a where a.member_id = $1 and a.kind = 'mirror' and a.balance <> 0 and game_is_movable($1, a.slot_code))
         or exists (select 1 from game_account g where g.member_id = $1 and g.outstanding > 0) as games,
       exists (select 1 from statement s where s.member_id = $1 and s.status not in ('SUCCESS', 'FAILED'))
         or exists (select 1 from slip s where s.member_id = $1 and s.status in ('PENDING', 'REVIEW'))
         or exists (select 1 from provider_transfer t where t.member_id = $1 and t.state in ('RESERVED', 'UNKNOWN'))
         or exists (select 1 from gift_redemption g where g.member_id = $1 and g.state in ('SENT', 'UNKNOWN')) as entries,
       exists (select 1 from qr q where q.member_id = $1 and q.status = 'OPEN') as qr,
       exists (select 1 from ledger_account a where a.member_id = $1 and a.kind = 'refund_purse' and a.balance <> 0) as refund`,
    [memberId],
  );
  const items: OpenItems = result.rows[0]!;
  return (Object.keys(items) as (keyof OpenItems)[]).filter((name) => items[name]);
}

export async function writeStatus(db: Db, id: bigint, status: MemberRow['status']): Promise<void> {
  await db.query('update member set status = $2 where id = $1', [id, status]);
}

export interface MemberSessionRow {
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  /** When it was last used. */
  seen_at: Date;
  address: string | null;
  user_agent: string | null;
}

/** The newest sessions of a member, open or not. */
export async function listSessions(db: Db, memberId: bigint): Promise<MemberSessionRow[]> {
  const result = await db.query(
    'select created_at, expires_at, ended_at, coalesce(last_seen_at, created_at) as seen_at, address, user_agent from session where member_id = $1 order by created_at desc limit 20',
    [memberId],
  );
  return result.rows;
}

export interface NoteRow {
  id: bigint;
  written_at: Date;
  by: string;
  text: string;
  pinned_at: Date | null;
}

/** Notes about a member: pinned ones first, then the newest. */
export async function listNotes(db: Db, memberId: bigint, limit: number): Promise<NoteRow[]> {
  const result = await db.query(
    'select n.id, n.written_at, o.name as by, n.text, n.pinned_at from member_note n join operator o on o.id = n.operator_id where n.member_id = $1 order by n.pinned_at is null, n.id desc limit $2',
    [memberId, limit],
  );
  return result.rows;
}

export async function insertNote(
  db: Db,
  note: { memberId: bigint; operatorId: bigint; text: string; now: Date },
): Promise<void> {
  await db.query(
    'insert into member_note (member_id, operator_id, text, written_at) values ($1, $2, $3, $4)',
    [note.memberId, note.operatorId, note.text, note.now],
  );
}

export interface StatementRow {
  id: string;
  type: string;
  status: string;
  source: string;
  target: string;
  amount: bigint;
  created_at: Date;
}

const NUMBER = numberKey('s.number');
/** What a member's statement is ordered by. */
export const STATEMENT_KEYS = { orders: { number: NUMBER }, id: NUMBER };

/** A page of the member's statement, and how many rows it has. */
export async function listStatement(
  db: Reads,
  memberId: bigint,
  slice: Slice,
): Promise<{ rows: (Listed<StatementRow> & { cursor_id: bigint })[]; total: number }> {
  const page = keysetSql(
    {
      select:
        'select s.number as cursor_id, s.id, s.type, s.status, s.source, s.target, s.amount, s.created_at',
      from: 'statement s where s.member_id = $1',
      ...STATEMENT_KEYS,
      parameters: ['$2', '$3', '$4'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [memberId, ...keysetValues(slice)]),
    db.query('select coalesce(max(number), 0)::int as total from statement where member_id = $1', [memberId]),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

export interface PostingRow {
  entry: bigint;
  at: Date;
  kind: string;
  reference: string;
  account: string;
  asset: 'BAHT' | 'LAK' | 'COIN';
  amount: bigint;
  balance_after: bigint;
}

/** What a member's postings are ordered by: entry, then leg. */
export const POSTING_KEYS = { orders: { entry: numberKey('p.entry_id') }, id: numberKey('p.leg') };

/** The first postings of each account behind a place, so that an account with very many is not read whole. */
const postingsBehind = <const Way extends '<' | '>', const End extends '' | ' desc'>(way: Way, end: End) =>
  `ledger_account a cross join lateral (
      select x.* from ledger_posting x
      where x.account_id = a.id and ($2::text is null or (x.entry_id, x.leg) ${way} ($2::text::bigint, $3::text::bigint))
      order by x.entry_id${end}, x.leg${end} limit $4) p
    join ledger_entry e on e.id = p.entry_id join ledger_asset s on s.id = a.asset where a.member_id = $1` as const;

/** A page of the postings on the member's ledger accounts, and how many there are, `counted` at the most. */
export async function listPostings(
  db: Reads,
  memberId: bigint,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: (Listed<PostingRow> & { cursor_id: number })[]; total: number }> {
  const from = slice.readSort.startsWith('-') ? postingsBehind('<', ' desc') : postingsBehind('>', '');
  const page = keysetSql(
    {
      select: `select p.leg as cursor_id, p.entry_id as entry, e.created_at as at, e.kind, e.reference, a.kind || coalesce(' ' || a.slot_code, '') as account, s.code as asset, p.amount, p.balance_after`,
      from,
      ...POSTING_KEYS,
      parameters: ['$2', '$3', '$4'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [memberId, ...keysetValues(slice)]),
    db.query(
      `select count(*)::int as total from (
         select from ledger_account a join ledger_posting p on p.account_id = a.id where a.member_id = $1 limit $2) found`,
      [memberId, counted],
    ),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

/** The currency of a member; undefined when there is none of this id. */
export async function findCurrency(db: Db, id: bigint): Promise<Currency | undefined> {
  return (await db.query('select currency from member where id = $1', [id])).rows[0]?.currency;
}

export interface EntryRow {
  member_id: bigint;
  direction: string;
  category: string;
  amount: bigint;
}

/** An operator's entry by the key of their console. */
export async function findEntry(db: Db, operatorId: bigint, key: string): Promise<EntryRow | undefined> {
  const sql =
    'select member_id, direction, category, amount from manual_entry where operator_id = $1 and key = $2';
  return (await db.query(sql, [operatorId, key])).rows[0];
}

/** Until when the account a member is paid to is in its cooling-off period; null when it is not. */
export async function findCoolingAccount(db: Db, memberId: bigint, now: Date): Promise<Date | null> {
  const result = await db.query(
    "select cool_until from bank_account where member_id = $1 and status = 'ACTIVE' and cool_until > $2",
    [memberId, now],
  );
  return result.rows[0]?.cool_until ?? null;
}
