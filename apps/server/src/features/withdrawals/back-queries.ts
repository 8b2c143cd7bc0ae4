import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export interface PaidRow {
  id: string;
  member_id: bigint;
  member_name: string;
  amount: bigint;
  currency: Currency;
  status: string;
  wallet_account: bigint;
  /** The system account it was paid from; null unless it was paid. */
  paid_from: bigint | null;
  returned_id: string | null;
}

/** A withdrawal with its receiving account, for returned money. */
export async function findPaid(db: Db, id: string): Promise<PaidRow | undefined> {
  const result = await db.query(
    `select w.id, w.member_id, m.name as member_name, w.amount, m.currency, w.status, m.wallet_account,
       (select a.id from ledger_entry e join ledger_posting p on p.entry_id = e.id join ledger_account a on a.id = p.account_id
        where e.reference = 'withdrawal:' || w.id || ':end' and e.kind = 'withdrawal_paid' and a.member_id is null limit 1) as paid_from,
       (select r.id from payout_return r where r.withdrawal_id = w.id) as returned_id
     from withdrawal w join member m on m.id = w.member_id where w.id = $1`,
    [id],
  );
  return result.rows[0];
}

export interface ReturnCandidateRow {
  id: bigint;
  bank_code: string;
  bank_reference: string;
  payer_mask: string;
  paid_at: Date;
  reversals: number;
}

/** Unmatched transactions that may be a payout coming back: of its amount and currency, not older than it, newest first. */
export async function listReturnCandidates(db: Db, id: string): Promise<ReturnCandidateRow[]> {
  const result = await db.query(
    `select l.id, l.bank_code, l.bank_reference, l.payer_mask, l.paid_at, l.reversals
     from withdrawal w join member m on m.id = w.member_id
     join bank_transaction l on l.state = 'UNMATCHED' and l.amount = w.amount and l.currency = m.currency and l.paid_at >= w.created_at
     where w.id = $1 and w.status = 'SUCCESS' and not exists (select 1 from payout_return r where r.withdrawal_id = w.id)
     order by l.id desc limit 10`,
    [id],
  );
  return result.rows;
}

/** Ids of deposits that may already contain the money of a payout that came back. */
export async function listReturnCredits(db: Db, id: string): Promise<string[]> {
  return (await db.query('select id from return_credits($1)', [id])).rows.map((row) => row.id);
}

export interface RefusedRow {
  id: string;
  member_id: bigint;
  member_name: string;
  member_status: string;
  amount: bigint;
  currency: Currency;
  status: string;
  risk_score: number | null;
  payout_state: string | null;
  wallet_account: bigint;
  hold_account: bigint;
  /** What the member's wallet holds now. */
  wallet: bigint;
  retried_by: string | null;
}

/** A withdrawal with its payout's end and its member's wallet, for sending once more. */
export async function findRefused(db: Db, id: string): Promise<RefusedRow | undefined> {
  const result = await db.query(
    `select w.id, w.member_id, m.name as member_name, m.status as member_status, w.amount, m.currency, w.status, w.risk_score, p.state as payout_state,
       m.wallet_account, m.hold_account, a.balance as wallet, (select n.id from withdrawal n where n.retry_of = w.id) as retried_by
     from withdrawal w join member m on m.id = w.member_id join ledger_account a on a.id = m.wallet_account
     left join payout p on p.withdrawal_id = w.id where w.id = $1`,
    [id],
  );
  return result.rows[0];
}
