import type { Db } from '../../platform/database/db.ts';

/** The tags of a member, in the order of the alphabet. */
export async function listTags(db: Db, memberId: bigint): Promise<string[]> {
  const { rows } = await db.query('select tag from member_tag where member_id = $1 order by tag', [memberId]);
  return rows.map(({ tag }) => tag);
}

/** Makes the tags of a member these; those that stay keep who gave them. */
export async function replaceTags(
  tx: Db,
  of: { memberId: bigint; operatorId: bigint; tags: readonly string[]; now: Date },
): Promise<void> {
  await tx.query('delete from member_tag where member_id = $1 and tag <> all($2)', [of.memberId, of.tags]);
  await tx.query(
    `insert into member_tag (member_id, tag, operator_id, tagged_at) select $1, t.tag, $3, $4 from unnest($2::text[]) t(tag)
     on conflict do nothing`,
    [of.memberId, of.tags, of.operatorId, of.now],
  );
}

/** The tags in use, the most used first, with how many members have each. */
export async function listTagsInUse(db: Db): Promise<{ tag: string; count: number }[]> {
  const result = await db.query(
    'select tag, count(*)::int as count from member_tag group by tag order by 2 desc, 1 limit 200',
  );
  return result.rows;
}

/** Pins a note about a member, or takes the pin away; false when there is no such note. */
export async function pinNote(
  db: Db,
  note: { id: bigint; memberId: bigint; pinnedAt: Date | null },
): Promise<boolean> {
  const result = await db.query('update member_note set pinned_at = $3 where id = $1 and member_id = $2', [
    note.id,
    note.memberId,
    note.pinnedAt,
  ]);
  return result.rowCount === 1;
}

export interface LifetimeRow {
  deposits: number;
  deposited: bigint;
  first_deposit: Date | null;
  last_deposit: Date | null;
  withdrawals: number;
  withdrawn: bigint;
  last_withdrawal: Date | null;
  bonuses: number;
  granted: bigint;
}

/** What a member paid in, was paid and was granted since they registered; what was taken back is left out. */
export async function readLifetime(db: Db, memberId: bigint): Promise<LifetimeRow> {
  const result = await db.query(
    `select d.count as deposits, d.amount as deposited, d.first as first_deposit, d.last as last_deposit,
       w.count as withdrawals, w.amount as withdrawn, w.last as last_withdrawal, b.count as bonuses, b.amount as granted
     from (select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount, min(created_at) as first, max(created_at) as last
         from deposit where member_id = $1 and reversal_id is null) d
       cross join (select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount, max(updated_at) as last
         from withdrawal where member_id = $1 and status = 'SUCCESS') w
       cross join (select count(*)::int as count, coalesce(sum(granted), 0)::bigint as amount from bonus_run where member_id = $1) b`,
    [memberId],
  );
  return result.rows[0]!;
}

/** The wallet balance before a moment, and the last of each day of Bangkok from then on that had a movement. */
export async function listDayBalances(
  db: Db,
  walletAccount: bigint,
  from: Date,
): Promise<{ before: bigint; days: { day: string; balance: bigint }[] }> {
  const [before, days] = await Promise.all([
    db.query(
      `select p.balance_after as balance from ledger_posting p join ledger_entry e on e.id = p.entry_id
       where p.account_id = $1 and e.created_at < $2 order by p.entry_id desc, p.leg desc limit 1`,
      [walletAccount, from],
    ),
    db.query(
      `select distinct on (1) (e.created_at at time zone 'Asia/Bangkok')::date::text as day, p.balance_after as balance
       from ledger_posting p join ledger_entry e on e.id = p.entry_id
       where p.account_id = $1 and e.created_at >= $2 order by 1, p.entry_id desc, p.leg desc`,
      [walletAccount, from],
    ),
  ]);
  return { before: before.rows[0]?.balance ?? 0n, days: days.rows };
}
