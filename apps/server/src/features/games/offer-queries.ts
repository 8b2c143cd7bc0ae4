import type { Db, PoolClient } from '../../platform/database/db.ts';

export interface OfferRow {
  code: string;
  name: string;
  category: 'slot' | 'sport' | 'lotto';
  adapter: string;
  is_open: boolean;
  is_in_maintenance: boolean;
  rate_micro: bigint;
  /** For members in kip; null: as in baht. */
  rate_lak_micro: bigint | null;
  least_in: bigint | null;
  version: number;
}

const COLUMNS =
  'code, name, category, adapter, is_open, is_in_maintenance, rate_micro, rate_lak_micro, least_in, version';

/** Every game in the order members see, with how many have opened it and how many play at an earlier rate. */
export async function listOffers(db: Db): Promise<(OfferRow & { accounts: number; other_rate: number })[]> {
  const result = await db.query(
    `select ${COLUMNS}, coalesce(a.accounts, 0) as accounts, coalesce(a.other_rate, 0) as other_rate
     from slot left join (
       select g.slot_code, count(*)::int as accounts, (count(*) filter (where g.rate_micro <>
         case m.currency when 'LAK' then coalesce(s.rate_lak_micro, s.rate_micro) else s.rate_micro end))::int as other_rate
       from game_account g join slot s on s.code = g.slot_code join member m on m.id = g.member_id where g.state = 'ACTIVE' group by 1
     ) a on a.slot_code = slot.code
     order by category, position, code`,
  );
  return result.rows;
}

/** One game, locked until the transaction ends. */
export async function lockOffer(tx: PoolClient, code: string): Promise<OfferRow | undefined> {
  return (await tx.query(`select ${COLUMNS} from slot where code = $1 for update`, [code])).rows[0];
}

export async function writeOffer(
  db: Db,
  code: string,
  to: {
    name: string;
    isOpen: boolean;
    isInMaintenance: boolean;
    rateMicro: bigint;
    rateLakMicro: bigint | null;
    leastIn: bigint | null;
  },
): Promise<void> {
  await db.query(
    `update slot set name = $2, is_open = $3, is_in_maintenance = $4, rate_micro = $5, rate_lak_micro = $6, least_in = $7, version = version + 1
     where code = $1`,
    [code, to.name, to.isOpen, to.isInMaintenance, to.rateMicro, to.rateLakMicro, to.leastIn],
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

export interface ProviderRow {
  adapter: string;
  is_in_maintenance: boolean;
  games: number;
  changed_by: string | null;
  changed_at: Date | null;
}

/** Providers of games, by name. */
export async function listProviders(db: Db): Promise<ProviderRow[]> {
  const result = await db.query(
    `select s.adapter, coalesce(p.is_in_maintenance, false) as is_in_maintenance, s.games, p.changed_by, p.changed_at
     from (select adapter, count(*)::int as games from slot group by 1) s left join game_provider p on p.adapter = s.adapter
     order by s.adapter`,
  );
  return result.rows;
}

/** Puts a provider under maintenance or ends it; false when it was so already. */
export async function setProvider(
  tx: PoolClient,
  adapter: string,
  to: { isInMaintenance: boolean; by: string; now: Date },
): Promise<boolean> {
  await tx.query(
    'insert into game_provider (adapter, is_in_maintenance, changed_by, changed_at) values ($1, false, $2, $3) on conflict do nothing',
    [adapter, to.by, to.now],
  );
  const result = await tx.query(
    'update game_provider set is_in_maintenance = $2, changed_by = $3, changed_at = $4 where adapter = $1 and is_in_maintenance <> $2',
    [adapter, to.isInMaintenance, to.by, to.now],
  );
  return result.rowCount === 1;
}
