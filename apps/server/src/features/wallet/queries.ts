import type { Pool } from '../../platform/database/db.ts';

interface WalletFigures {
  balance: bigint;
  version: bigint;
  coins: bigint;
  /** Out of the wallet for games that have not reported it; no reading of a game counts it before. */
  onTheWay: bigint;
  /** What invited members have earned them that they have not received. */
  invited: bigint;
}

/** Balance and version of the wallet, the coins, what is on its way to games, and what waits from invites. */
export async function readWalletFigures(
  pool: Pool,
  member: { id: bigint; walletAccount: bigint; coinAccount: bigint },
): Promise<WalletFigures> {
  const result = await pool.query(
    `select w.balance, w.version, c.balance as coins, coalesce((select sum(i.amount) from invite_credit i
       where i.inviter_id = $3 and i.state in ('ACCRUED', 'READY')), 0)::bigint as invited,
       coalesce((select sum(t.amount) from provider_transfer t
         where t.member_id = $3 and t.state in ('RESERVED', 'UNKNOWN') and t.direction = 'IN'), 0)::bigint as "onTheWay"
     from ledger_account w, ledger_account c where w.id = $1 and c.id = $2`,
    [member.walletAccount, member.coinAccount, member.id],
  );
  return result.rows[0]!;
}
