import type { Pool } from '../../platform/database/db.ts';

export interface BankAccountRow {
  bank_code: string;
  account_no_sealed: Buffer;
  account_name: string;
  name_local: string;
  name_en: string;
  name_lao: string | null;
}

/** The member's active bank account with its bank's names. */
export async function readBankAccount(pool: Pool, memberId: bigint): Promise<BankAccountRow> {
  const result = await pool.query(
    `select a.bank_code, a.account_no_sealed, a.account_name, b.name_local, b.name_en, b.name_lao
     from bank_account a join bank b on b.code = a.bank_code where a.member_id = $1 and a.status = 'ACTIVE'`,
    [memberId],
  );
  return result.rows[0]!;
}

interface WalletFigures {
  balance: bigint;
  version: bigint;
  coins: bigint;
  /** What invited members have earned them that they have not received. */
  invited: bigint;
}

/** Balance and version of the wallet, the coins, and what waits from invites. */
export async function readWalletFigures(
  pool: Pool,
  member: { id: bigint; walletAccount: bigint; coinAccount: bigint },
): Promise<WalletFigures> {
  const result = await pool.query(
    `select w.balance, w.version, c.balance as coins, coalesce((select sum(i.amount) from invite_credit i
       where i.inviter_id = $3 and i.state in ('ACCRUED', 'READY')), 0)::bigint as invited
     from ledger_account w, ledger_account c where w.id = $1 and c.id = $2`,
    [member.walletAccount, member.coinAccount, member.id],
  );
  return result.rows[0]!;
}

export async function readMemberSince(pool: Pool, memberId: bigint): Promise<Date> {
  return (await pool.query('select created_at from member where id = $1', [memberId])).rows[0]!.created_at;
}
