import type { Db } from '../../platform/database/db.ts';

/** What the database tells of an installation's first steps. */
interface SetupFacts {
  /** Active operators who check requests for access. */
  administrators: number;
  /** Active operators who decide withdrawals. */
  cashiers: number;
  /** Active operators who check requests that move money. */
  money_checkers: number;
  has_account: boolean;
  has_game: boolean;
  /** Keys of texts that operators have published. */
  published: string[];
  has_backup: boolean;
}

const countWith = <const Permission extends string>(permission: Permission) =>
  `(select count(*)::int from operator o join operator_role r on r.code = o.role where o.status = 'ACTIVE' and '${permission}' = any(r.permissions))` as const;

export async function readSetupFacts(db: Db): Promise<SetupFacts> {
  const result = await db.query(
    `select ${countWith('approval.access')} as administrators, ${countWith('withdrawal.decide')} as cashiers,
       ${countWith('approval.money')} as money_checkers,
       exists (select 1 from deposit_account where is_open and not is_paused) as has_account,
       exists (select 1 from slot where is_open) as has_game,
       array(select distinct key from content_revision where published_by <> 'system' order by key) as published,
       exists (select 1 from audit where subject = 'backup' and action = 'backup') as has_backup`,
  );
  return result.rows[0]!;
}
