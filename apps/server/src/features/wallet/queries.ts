import type { Pool } from '../../platform/database/db.ts';

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
