import type { Currency } from '@krapao/contract/shared';
import type { Reads } from '../../platform/database/db.ts';

export interface FoundRow {
  kind: 'member' | 'withdrawal' | 'deposit' | 'slip' | 'report' | 'unmatched' | 'transfer' | 'error';
  id: string;
  title: string;
  amount: bigint | null;
  currency: Currency | null;
  state: string | null;
  at: Date | null;
  /** Of an error: whose it was, and which call answered it. */
  member_id?: string | null;
  call?: string;
  /** Of a member: what tells two of the same name apart. */
  phone?: string;
  bank_code?: string | null;
  account_no_sealed?: Buffer | null;
  account_name?: string | null;
}

export interface Clue {
  text: string;
  phone: string;
  /** The text as an account number at each bank. */
  fingerprints: readonly Buffer[];
  /** The text as what banks print of an account number. */
  digits: readonly Buffer[];
  /** The text as an amount in each currency; null when it is none. */
  baht: bigint | null;
  kip: bigint | null;
}

const EACH = 8;

/** The members whom the text means: by phone, or by id. */
const MEANT = `(select x.id from member x where x.phone = $2
    union select case when $1 ~ '^[1-9][0-9]{0,14}$' then $1::bigint end)`;

/**
 * The latest rows of a table of the members whom the text means. Between equal ends and in the order of the index of
 * members, so that no other index serves it: by time, the rows of all members would be read.
 */
const ofMember = <const Table extends string, const Order extends string>(table: Table, order: Order) =>
  `select r.id from ${MEANT} f cross join lateral (
      select y.id from ${table} y where y.member_id between f.id and f.id order by ${order} limit ${EACH}) r` as const;
const BACKWARDS = 'y.member_id desc, y.created_at desc';
const FORWARDS = 'y.member_id, y.created_at desc';

/** The latest rows of a table with the text as amount, in each currency. Between equal ends for the same reason. */
const ofAmount = <const Table extends string, const CurrencySql extends string>(
  table: Table,
  currency: CurrencySql,
) =>
  `(select y.id from ${table} y where y.amount between $4::bigint and $4::bigint and ${currency} = 'BAHT'
      order by y.amount desc, y.id desc limit ${EACH})
    union (select y.id from ${table} y where y.amount between $5::bigint and $5::bigint and ${currency} = 'LAK'
      order by y.amount desc, y.id desc limit ${EACH})` as const;
const MEMBER_CURRENCY = '(select c.currency from member c where c.id = y.member_id)';

/** Every statement takes the same values; this names those it has no use for, and finds nothing. */
const UNUSED = '($3::bytea[] is null and $6::bytea[] is null and false)';
const UNUSED_OF_ERROR =
  '($3::bytea[] is null and $4::bigint is null and $5::bigint is null and $6::bytea[] is null and false)';

/** One statement a kind, so that only what the caller may read is looked for. */
const FINDERS = {
  member: `select 'member' as kind, m.id::text as id, m.name as title, null::bigint as amount, m.currency, m.status as state, m.created_at as at,
      m.phone, a.bank_code, a.account_no_sealed, a.account_name
    from member m left join bank_account a on a.member_id = m.id and a.status = 'ACTIVE'
    where m.id::text = $1 or m.id = (select q.member_id from qr q where q.id = upper($1)) or m.phone = $2 or a.account_no_fingerprint = any($3::bytea[])
      or (length($1) > 1 and (position(lower($1) in lower(m.name)) > 0 or position(lower($1) in lower(a.account_name)) > 0))
      or (length($1) = 4 and right(m.phone, 4) = $1)
      or a.id in (select d.bank_account_id from bank_account_digits d where d.last_fingerprint = any($6::bytea[]) or d.middle_fingerprint = any($6::bytea[]))
      or ($4::bigint is null and $5::bigint is null and false)
    order by m.id limit ${EACH}`,
  withdrawal: `select 'withdrawal' as kind, w.id, m.name as title, w.amount, m.currency, w.status as state, w.created_at as at
    from (select y.id from withdrawal y where y.id = upper($1) or ${UNUSED}
      union ${ofMember('withdrawal', BACKWARDS)} union ${ofAmount('withdrawal', MEMBER_CURRENCY)}) f
    join withdrawal w on w.id = f.id join member m on m.id = w.member_id
    order by w.created_at desc limit ${EACH}`,
  deposit: `select 'deposit' as kind, d.id, m.name || ' · ' || d.bank_reference as title, d.amount, m.currency, d.channel as state, d.created_at as at
    from (select y.id from deposit y where y.id = upper($1) or ${UNUSED}
      union (select y.id from deposit y where y.bank_reference = $1 limit ${EACH})
      union (select y.id from deposit y where y.qr_id = upper($1) limit ${EACH})
      union ${ofMember('deposit', FORWARDS)} union ${ofAmount('deposit', MEMBER_CURRENCY)}) f
    join deposit d on d.id = f.id join member m on m.id = d.member_id
    order by d.created_at desc limit ${EACH}`,
  slip: `select 'slip' as kind, s.id, m.name || coalesce(' · ' || s.trans_ref, '') as title, s.amount, s.currency, s.status as state, s.created_at as at
    from (select y.id from slip y where y.id = upper($1) or ${UNUSED}
      union (select y.id from slip y where y.trans_ref = $1 limit ${EACH})
      union ${ofMember('slip', FORWARDS)} union ${ofAmount('slip', 'y.currency')}) f
    join slip s on s.id = f.id join member m on m.id = s.member_id
    order by s.created_at desc limit ${EACH}`,
  report: `select 'report' as kind, r.id, m.name as title, r.amount, m.currency, r.status as state, r.created_at as at
    from (select y.id from payment_report y where y.id = upper($1) or ${UNUSED}
      union ${ofMember('payment_report', BACKWARDS)} union ${ofAmount('payment_report', MEMBER_CURRENCY)}) f
    join payment_report r on r.id = f.id join member m on m.id = r.member_id
    order by r.created_at desc limit ${EACH}`,
  unmatched: `select 'unmatched' as kind, l.id::text as id, l.bank_code || ' ' || l.bank_reference as title, l.amount, l.currency, l.state, l.paid_at as at
    from bank_transaction l
    where l.state <> 'CREDITED' and (l.bank_reference = $1 or l.reference1 = $1 or l.amount = case l.currency when 'BAHT' then $4::bigint else $5::bigint end)
      or ($2::text is null and $3::bytea[] is null and $6::bytea[] is null and false)
    order by l.id desc limit ${EACH}`,
  transfer: `select 'transfer' as kind, t.id, m.name || ' · ' || t.slot_code as title, t.amount, m.currency, t.state, t.created_at as at
    from (select y.id from provider_transfer y where y.id = upper($1) or ${UNUSED}
      union ${ofMember('provider_transfer', BACKWARDS)} union ${ofAmount('provider_transfer', MEMBER_CURRENCY)}) f
    join provider_transfer t on t.id = f.id join member m on m.id = t.member_id
    order by t.created_at desc limit ${EACH}`,
  error: `select 'error' as kind, e.reference as id, coalesce(m.name, '') as title, null::bigint as amount, m.currency, e.code as state, e.created_at as at,
      e.member_id::text as member_id, e.call
    from (select y.reference from error_reference y where y.reference = upper($1) or ${UNUSED_OF_ERROR}
      union select r.reference from ${MEANT} f cross join lateral (
        select y.reference from error_reference y where y.member_id between f.id and f.id order by ${BACKWARDS} limit ${EACH}) r) f
    join error_reference e on e.reference = f.reference left join member m on m.id = e.member_id
    order by e.created_at desc limit ${EACH}`,
} as const satisfies Record<FoundRow['kind'], string>;

export async function findByClue(db: Reads, kind: FoundRow['kind'], clue: Clue): Promise<FoundRow[]> {
  const values = [clue.text, clue.phone, clue.fingerprints, clue.baht, clue.kip, clue.digits] as const;
  return (await db.query(FINDERS[kind], values)).rows;
}
