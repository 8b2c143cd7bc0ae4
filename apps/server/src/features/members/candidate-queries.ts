import type { Currency, MemberStatus } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export interface CandidateRow {
  id: bigint;
  name: string;
  phone: string;
  status: MemberStatus;
  currency: Currency;
  bank_code: string | null;
  account_no_sealed: Buffer | null;
  account_name: string | null;
}

export interface CandidateClue {
  /** Members known to be meant, whatever was typed; they come first. */
  ids: readonly bigint[];
  /** As typed; null searches for no other member. */
  text: string | null;
  phone: string | null;
  fingerprints: readonly Buffer[];
  digits: readonly Buffer[];
}

const MOST = 8;

/** Finds who may be meant: by id, phone, name here or on the bank account, account number, or what a bank prints of it. */
export async function findCandidates(db: Db, clue: CandidateClue): Promise<CandidateRow[]> {
  const result = await db.query(
    `select m.id, m.name, m.phone, m.status, m.currency, a.bank_code, a.account_no_sealed, a.account_name
     from member m left join bank_account a on a.member_id = m.id and a.status = 'ACTIVE'
     where m.id = any($1) or ($2::text is not null and (
       m.id::text = $2 or m.phone = $3 or (length($2) = 4 and right(m.phone, 4) = $2)
       or (length($2) > 1 and (position(lower($2) in lower(m.name)) > 0 or position(lower($2) in lower(a.account_name)) > 0))
       or a.account_no_fingerprint = any($4::bytea[])
       or a.id in (select d.bank_account_id from bank_account_digits d where d.last_fingerprint = any($5::bytea[]) or d.middle_fingerprint = any($5::bytea[]))))
     order by m.id = any($1) desc, m.id limit ${MOST}`,
    [clue.ids, clue.text, clue.phone, clue.fingerprints, clue.digits],
  );
  return result.rows;
}

export interface RecentDepositRow {
  member_id: bigint;
  amount: bigint;
  channel: string;
  created_at: Date;
}

const RECENT = 3;

/** The latest deposits of each of these members, newest first. */
export async function listRecentDeposits(db: Db, memberIds: readonly bigint[]): Promise<RecentDepositRow[]> {
  const result = await db.query(
    `select d.member_id, d.amount, d.channel, d.created_at from unnest($1::bigint[]) u(id)
     cross join lateral (
       select x.member_id, x.amount, x.channel, x.created_at from deposit x
       where x.member_id = u.id and x.reversal_id is null order by x.created_at desc limit ${RECENT}) d
     order by d.created_at desc`,
    [memberIds],
  );
  return result.rows;
}
