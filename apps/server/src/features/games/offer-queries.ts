import type { Db, PoolClient, Reads } from '../../platform/database/db.ts';

export interface OfferRow {
  code: string;
  name: string;
  /** Null: as `name`. */
  name_la: string | null;
  name_en: string | null;
  category: 'slot' | 'sport' | 'lotto';
  adapter: string;
  agent: string;
  /** The path of its picture; empty: none. */
  background: string;
  web: string | null;
  android: string | null;
  ios: string | null;
  archived_at: Date | null;
  is_open: boolean;
  is_in_maintenance: boolean;
  rate_micro: bigint;
  /** For members in kip; null: as in baht. */
  rate_lak_micro: bigint | null;
  least_in: bigint | null;
  version: number;
}

const COLUMNS =
  `code, name, name_la, name_en, category, adapter, agent, background, web, android, ios, archived_at, is_open, is_in_maintenance,
  rate_micro, rate_lak_micro, least_in, version` as const;

/** Every game in the order members see. */
export async function listOffers(db: Db): Promise<OfferRow[]> {
  return (await db.query(`select ${COLUMNS} from slot order by category, position, code`)).rows;
}

/**
 * How many members have opened each game, and how many of them play at an earlier rate than its rates for members in
 * baht and in kip; each is counted up to `max`. Reads the index of rates alone.
 */
export async function countPlayers(
  db: Reads,
  max: number,
): Promise<Map<string, { accounts: number; otherRate: number }>> {
  const { rows } = await db.query(
    `select s.code, a.accounts, b.other_rate
     from slot s,
       lateral (select least(s.rate_micro, s.rate_lak_micro) as low, greatest(s.rate_micro, s.rate_lak_micro) as high) r,
       lateral (select count(*)::int as accounts from (
         select from game_account g where g.slot_code = s.code and g.state = 'ACTIVE' limit $1) x) a,
       lateral (select count(*)::int as other_rate from (
         (select from game_account g where g.slot_code = s.code and g.state = 'ACTIVE' and g.rate_micro < r.low limit $1)
         union all
         (select from game_account g where g.slot_code = s.code and g.state = 'ACTIVE' and g.rate_micro > r.low
           and g.rate_micro < r.high limit $1)
         union all
         (select from game_account g where g.slot_code = s.code and g.state = 'ACTIVE' and g.rate_micro > r.high limit $1)
         limit $1) y) b`,
    [max],
  );
  return new Map(
    rows.map(({ code, accounts, other_rate }) => [
      code,
      { accounts: accounts ?? 0, otherRate: other_rate ?? 0 },
    ]),
  );
}

/** One game, locked until the transaction ends. */
export async function lockOffer(tx: PoolClient, code: string): Promise<OfferRow | undefined> {
  return (await tx.query(`select ${COLUMNS} from slot where code = $1 for update`, [code])).rows[0];
}

/** The fields of a game that operators set. */
export interface OfferTerms {
  name: string;
  nameLa: string | null;
  nameEn: string | null;
  agent: string;
  picture: string;
  web: string | null;
  android: string | null;
  ios: string | null;
  isOpen: boolean;
  isInMaintenance: boolean;
  rateMicro: bigint;
  rateLakMicro: bigint | null;
  leastIn: bigint | null;
}

/** Writes a game's terms as its next version; an archived one is in the lists again. */
export async function writeOffer(db: Db, code: string, to: OfferTerms): Promise<void> {
  await db.query(
    `update slot set name = $2, is_open = $3, is_in_maintenance = $4, rate_micro = $5, rate_lak_micro = $6, least_in = $7,
       name_la = $8, name_en = $9, agent = $10, background = $11, web = $12, android = $13, ios = $14, archived_at = null,
       version = version + 1
     where code = $1`,
    [
      code,
      to.name,
      to.isOpen,
      to.isInMaintenance,
      to.rateMicro,
      to.rateLakMicro,
      to.leastIn,
      to.nameLa,
      to.nameEn,
      to.agent,
      to.picture,
      to.web,
      to.android,
      to.ios,
    ],
  );
}

/** Adds a game at the end of the order; false when the code is taken. Members enter it by its code. */
export async function insertOffer(
  db: Db,
  game: OfferTerms & Pick<OfferRow, 'code' | 'category' | 'adapter'>,
): Promise<boolean> {
  const result = await db.query(
    `insert into slot (code, launch_name, category, adapter, logo, position, name, is_open, is_in_maintenance, rate_micro, rate_lak_micro,
       least_in, name_la, name_en, agent, background, web, android, ios)
     select $1, $1, $2, $3, '', coalesce(max(position), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16 from slot
     on conflict do nothing`,
    [
      game.code,
      game.category,
      game.adapter,
      game.name,
      game.isOpen,
      game.isInMaintenance,
      game.rateMicro,
      game.rateLakMicro,
      game.leastIn,
      game.nameLa,
      game.nameEn,
      game.agent,
      game.picture,
      game.web,
      game.android,
      game.ios,
    ],
  );
  return result.rowCount === 1;
}

/**
 * Whether another game, unless it is archived without accounts, has this agent of the provider. Providers may not tell
 * capitals apart.
 */
export async function isAgentTaken(
  db: Db,
  { code, adapter, agent }: Pick<OfferRow, 'code' | 'adapter' | 'agent'>,
): Promise<boolean> {
  const sql = `select 1 from slot s where s.adapter = $2 and lower(s.agent) = lower($3) and s.code <> $1
    and (s.archived_at is null or exists (select 1 from game_account g where g.slot_code = s.code)) limit 1`;
  return (await db.query(sql, [code, adapter, agent])).rows.length > 0;
}

/** Whether a member has opened the game. */
export async function hasPlayers(db: Db, code: string): Promise<boolean> {
  return (await db.query('select 1 from game_account where slot_code = $1 limit 1', [code])).rows.length > 0;
}

/** Deletes a game that no account, ledger account or bonus names; false when one does. */
export async function deleteOffer(tx: PoolClient, code: string): Promise<boolean> {
  const result = await tx.query(
    `delete from slot s where s.code = $1
       and not exists (select 1 from game_account g where g.slot_code = s.code)
       and not exists (select 1 from ledger_account a where a.slot_code = s.code)
       and not exists (select 1 from bonus b where position('"' || s.code || '"' in b.games::text) > 0)
       and not exists (select 1 from prize p where position('"' || s.code || '"' in p.games::text) > 0)`,
    [code],
  );
  return result.rowCount === 1;
}

export async function archiveOffer(tx: PoolClient, code: string, now: Date): Promise<void> {
  await tx.query('update slot set archived_at = $2, version = version + 1 where code = $1', [code, now]);
}

/** Lets one transaction at a time order the games or give one an agent. */
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
  name_th: string | null;
  name_la: string | null;
  name_en: string | null;
  is_in_maintenance: boolean;
  games: number;
  changed_by: string | null;
  changed_at: Date | null;
}

/** The providers of these adapters and of every game, by name. */
export async function listProviders(db: Db, adapters: readonly string[]): Promise<ProviderRow[]> {
  const result = await db.query(
    `select a.adapter, p.name_th, p.name_la, p.name_en, coalesce(p.is_in_maintenance, false) as is_in_maintenance,
       coalesce(s.games, 0) as games, p.changed_by, p.changed_at
     from (select unnest($1::text[]) as adapter union select adapter from slot) a
       left join (select adapter, count(*)::int as games from slot where archived_at is null group by 1) s on s.adapter = a.adapter
       left join game_provider p on p.adapter = a.adapter
     order by a.adapter`,
    [adapters],
  );
  return result.rows;
}

/** Makes a provider's row where there is none. */
async function ensureProvider(tx: PoolClient, adapter: string, to: { by: string; now: Date }): Promise<void> {
  await tx.query(
    'insert into game_provider (adapter, is_in_maintenance, changed_by, changed_at) values ($1, false, $2, $3) on conflict do nothing',
    [adapter, to.by, to.now],
  );
}

/** Puts a provider under maintenance or ends it; false when it was so already. */
export async function setProvider(
  tx: PoolClient,
  adapter: string,
  to: { isInMaintenance: boolean; by: string; now: Date },
): Promise<boolean> {
  await ensureProvider(tx, adapter, to);
  const result = await tx.query(
    'update game_provider set is_in_maintenance = $2, changed_by = $3, changed_at = $4 where adapter = $1 and is_in_maintenance <> $2',
    [adapter, to.isInMaintenance, to.by, to.now],
  );
  return result.rowCount === 1;
}

/** Writes a provider's own names; null: the standard one. */
export async function writeProviderNames(
  tx: PoolClient,
  adapter: string,
  to: { th: string | null; la: string | null; en: string | null; by: string; now: Date },
): Promise<void> {
  await ensureProvider(tx, adapter, to);
  await tx.query(
    'update game_provider set name_th = $2, name_la = $3, name_en = $4, changed_by = $5, changed_at = $6 where adapter = $1',
    [adapter, to.th, to.la, to.en, to.by, to.now],
  );
}
