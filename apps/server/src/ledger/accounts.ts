import type { Pool, PoolClient } from '../platform/database/db.ts';

/** Assets of the ledger. Balances are whole minor units of the account's asset. */
export const ASSET = { BAHT: 1, LAK: 2, COIN: 3 } as const;
export type Asset = keyof typeof ASSET;

export type MemberAccountKind = 'wallet' | 'hold' | 'coin' | 'refund_purse' | 'mirror';

/**
 * System accounts: what is not a member's. Money received from outside is a negative balance there: `bank:KBANK` at
 * −500.00 means that the bank holds 500.00 for members.
 */
export type SystemAccountKind =
  | `bank:${string}`
  | `game_result:${string}`
  /** The mobile wallet that receives gifts. */
  | 'gift'
  | 'unmatched'
  | 'rounding'
  | 'manual'
  | 'bonus_cost'
  | 'invite_cost'
  | 'refund_cost'
  | 'coin_issue'
  | 'coin_spent';

type Queryable = Pool | PoolClient;

/** Opens a member's account, or returns the existing one. A game balance (`mirror`) needs the slot's code. */
export async function openMemberAccount(
  db: Queryable,
  account: { memberId: bigint; kind: MemberAccountKind; asset: Asset; slotCode?: string },
  now: Date,
): Promise<bigint> {
  const result = await db.query('select ledger_open_account($1::smallint, $2, $3, $4, $5) as id', [
    ASSET[account.asset],
    account.kind,
    account.memberId,
    account.slotCode ?? null,
    now,
  ]);
  return result.rows[0]!.id;
}

/** Returns ids of system accounts by kind and asset; opens them at first use and caches the ids, which never change. */
export function createSystemAccounts(
  pool: Pool,
  now: () => Date,
): (kind: SystemAccountKind, asset: Asset) => Promise<bigint> {
  const known = new Map<string, Promise<bigint>>();
  return (kind, asset) => {
    const name = `${kind} ${asset}`;
    const before = known.get(name);
    if (before) return before;
    const opening = pool
      .query('select ledger_open_account($1::smallint, $2, null, null, $3) as id', [
        ASSET[asset],
        kind,
        now(),
      ])
      .then((result) => result.rows[0]!.id);
    known.set(name, opening);
    opening.catch(() => known.delete(name));
    return opening;
  };
}

/** Reads balance (minor units) and version of one account. Throws when the account does not exist. */
export async function readBalance(
  db: Queryable,
  account: bigint,
): Promise<{ balanceMinor: bigint; version: bigint }> {
  const result = await db.query('select balance, version from ledger_account where id = $1', [account]);
  const row = result.rows[0];
  if (!row) throw new Error(`no ledger account ${account}`);
  return { balanceMinor: row.balance, version: row.version };
}
