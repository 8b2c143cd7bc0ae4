import type { Pool } from '../../platform/database/db.ts';

/** An entry on the wallet of a member who takes no part. */
export interface BystanderEntry {
  id: bigint;
  kind: string;
  /** Whether it was written with an operator's action: operators may find a bystander and book there. */
  isOperators: boolean;
}

/**
 * Watches the wallets of members who take no part.
 * @returns a function that answers the entries written there since
 */
export async function watchBystanders(
  owner: Pool,
  ids: readonly bigint[],
): Promise<() => Promise<BystanderEntry[]>> {
  const read = async () =>
    (
      await owner.query(
        `select e.id, e.kind,
           exists (select 1 from audit u where u.at = e.created_at and u.actor like 'operator:%') as "isOperators"
         from ledger_entry e join ledger_posting p on p.entry_id = e.id
         join member m on m.wallet_account = p.account_id
         where m.id = any($1)`,
        [ids],
      )
    ).rows;
  const before = new Set((await read()).map(({ id }) => String(id)));
  return async () => (await read()).filter(({ id }) => !before.has(String(id)));
}
