import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

export interface OfferRow {
  code: string;
  name: string;
  category: 'slot' | 'sport' | 'lotto';
  adapter: string;
  is_open: boolean;
  is_in_maintenance: boolean;
  rate_micro: bigint;
  least_in: bigint | null;
  version: number;
}

const COLUMNS = 'code, name, category, adapter, is_open, is_in_maintenance, rate_micro, least_in, version';

/** Every game in the order members see, with how many have opened it and how many play at an earlier rate. */
export async function listOffers(db: Db): Promise<(OfferRow & { accounts: number; other_rate: number })[]> {
  const result = await db.query<OfferRow & { accounts: number; other_rate: number }>(
    `select ${COLUMNS}, coalesce(a.accounts, 0) as accounts, coalesce(a.other_rate, 0) as other_rate
     from slot left join (
       select g.slot_code, count(*)::int as accounts, (count(*) filter (where g.rate_micro <> s.rate_micro))::int as other_rate
       from game_account g join slot s on s.code = g.slot_code where g.state = 'ACTIVE' group by 1
     ) a on a.slot_code = slot.code
     order by category, position, code`,
  );
  return result.rows;
}

/** One game, locked until the transaction ends. */
export async function lockOffer(tx: PoolClient, code: string): Promise<OfferRow | undefined> {
  return (await tx.query<OfferRow>(`select ${COLUMNS} from slot where code = $1 for update`, [code])).rows[0];
}

export async function writeOffer(
  db: Db,
  code: string,
  to: { name: string; isOpen: boolean; isInMaintenance: boolean; rateMicro: bigint; leastIn: bigint | null },
): Promise<void> {
  await db.query(
    `update slot set name = $2, is_open = $3, is_in_maintenance = $4, rate_micro = $5, least_in = $6, version = version + 1
     where code = $1`,
    [code, to.name, to.isOpen, to.isInMaintenance, to.rateMicro, to.leastIn],
  );
}

/** Lets one transaction at a time order the games. */
export async function lockOffers(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('games'))");
}

export async function orderOffers(db: Db, codes: readonly string[]): Promise<void> {
  await db.query(
    'update slot s set position = o.position from unnest($1::text[]) with ordinality o(code, position) where s.code = o.code',
    [codes],
  );
}
