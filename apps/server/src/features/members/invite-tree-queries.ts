import type { Db, RowOf } from '../../platform/database/db.ts';

/** Members of one invite tree at most. */
const TREE_MAX = 60;

// Inviters were there before the members they invited, so the tree has no cycle.
const TREE = `with recursive above as (
    select m.inviter_id as id, 1 as depth from member m where m.id = $1 and m.inviter_id is not null
    union all
    select m.inviter_id, a.depth + 1 from above a join member m on m.id = a.id where m.inviter_id is not null and a.depth < 3
  ), below as (
    select $1::bigint as id, 0 as depth
    union all
    select i.id, b.depth + 1 from below b
    cross join lateral (select m.id from member m where m.inviter_id = b.id order by m.id desc limit 30) i where b.depth < 2
  ), tree as (
    select a.id, 0 as place from above a
    union all select b.id, 1 + b.depth from below b
    union all (select s.id, 4 from above a join member s on s.inviter_id = a.id and s.id <> $1 where a.depth = 1 order by s.id desc limit 30)
  ), nearest as (select t.id, min(t.place) as place from tree t group by t.id order by 2, 1 desc limit ${TREE_MAX})
  select m.id, m.name, m.status, m.inviter_id, (select count(*)::int from member i where i.inviter_id = m.id) as invited
  from nearest n join member m on m.id = n.id order by m.id` as const;

export type InviteTreeRow = RowOf<typeof TREE>;

/**
 * Returns the members around one who are joined by invitations: three inviters upwards, the other members whom the
 * direct inviter invited, and two levels of invited members; the nearest 60 at most, in the order of their ids.
 */
export async function listInviteTree(db: Db, memberId: bigint): Promise<InviteTreeRow[]> {
  return (await db.query(TREE, [memberId])).rows;
}

const SHARED = `with marks as (
    select t.id, 'device' as kind, l.network, l.network || ' ' || l.user_agent as what from unnest($1::bigint[]) t(id)
    cross join lateral (select distinct s.network, s.user_agent from session s
      where s.member_id = t.id and s.created_at > $2 and s.network is not null and s.user_agent is not null limit 10) l
    union
    select a.member_id, 'account', null, a.bank_code || encode(a.account_no_fingerprint, 'hex') from bank_account a where a.member_id = any($1)
  ), pairs as (
    select a.kind, a.network, a.id as first_id, b.id as second_id from marks a
    join marks b on b.kind = a.kind and b.what = a.what and b.id > a.id
  ), small as materialized (
    select n.network from (select distinct p.network from pairs p where p.network is not null limit 20) n where is_small_network(n.network, $2)
  )
  select distinct p.kind, p.first_id, p.second_id from pairs p
  where p.network is null or exists (select 1 from small where small.network = p.network)
  order by 1, 2, 3 limit 200` as const;

export type SharedPairRow = RowOf<typeof SHARED>;

/** Returns the pairs of these members who share a bank account, now or formerly, or a browser on a small network. */
export async function listSharedPairs(
  db: Db,
  memberIds: readonly bigint[],
  since: Date,
): Promise<SharedPairRow[]> {
  return (await db.query(SHARED, [memberIds, since])).rows;
}
