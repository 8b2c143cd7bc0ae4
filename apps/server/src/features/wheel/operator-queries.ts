import type { Currency, LocalizedText } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import type { PrizeColumns } from '../coupons/read.ts';

export interface WheelRow {
  id: bigint;
  currency: Currency;
  state: 'DRAFT' | 'OPEN' | 'STOPPED';
  version: number | null;
  latest: number;
  changed_by: string;
  changed_at: Date;
}

/** A wheel in a list, with figures of the version published last, or of the draft. */
export interface ListedWheel extends WheelRow {
  name: LocalizedText;
  slices: number;
  cost_per_spin: number;
  /** Minor units a spin costs on average, times a million. */
  expected_micro: bigint;
  spins: number;
  won: bigint;
  approval: string | null;
}

const WHEEL = 'w.id, w.currency, w.state, w.version, w.latest, w.changed_by, w.changed_at';
/** Money prizes only, and those in stock. */
const EXPECTED = `(select coalesce(sum(d.weight * d.worth) * 1000000 / nullif(sum(d.weight), 0), 0)::bigint from (
    select case when p.won >= s.stock then 0 else s.weight end as weight, case when p.kind = 'COIN' then 0 else coalesce(p.value, 0) end as worth
    from wheel_slice s left join prize p on p.id = s.prize_id where s.wheel_id = v.wheel_id and s.version = v.version) d)`;

/** Wheels, those that turn first, then the ones changed last; one of them, when named. */
export async function listWheels(db: Db, id: bigint | null): Promise<ListedWheel[]> {
  const result = await db.query(
    `select ${WHEEL}, v.name, v.cost_per_spin, ${EXPECTED} as expected_micro,
       (select count(*)::int from wheel_slice s where s.wheel_id = v.wheel_id and s.version = v.version) as slices,
       (select coalesce(sum(k.spins), 0)::int from spin_count k where k.wheel_id = w.id) as spins,
       (select coalesce(sum(z.won * z.value), 0)::bigint from prize z
         where z.kind <> 'COIN' and z.id in (select s.prize_id from wheel_slice s where s.wheel_id = w.id)) as won,
       (select a.id from approval a where a.subject = 'wheel:' || w.id and a.state = 'PENDING' limit 1) as approval
     from wheel w join wheel_version v on v.wheel_id = w.id and v.version = coalesce(w.version, w.latest)
     where $1::bigint is null or w.id = $1 order by w.state <> 'OPEN', w.changed_at desc, w.id desc limit 200`,
    [id],
  );
  return result.rows;
}

/** One wheel, locked until the transaction ends. */
export async function lockWheel(tx: PoolClient, id: string): Promise<WheelRow | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  return (await tx.query(`select ${WHEEL} from wheel w where w.id = $1 for update`, [id])).rows[0];
}

/**
 * The newest prize of a wheel's versions that is like the given one. JSON is compared by its content: what the database
 * returns has its keys in another order than what was written.
 */
export async function findPrizeOfWheel(
  tx: PoolClient,
  wheelId: bigint,
  prize: PrizeColumns,
): Promise<bigint | undefined> {
  const result = await tx.query(
    `select p.id from prize p where p.id in (select s.prize_id from wheel_slice s where s.wheel_id = $1)
       and p.currency = $2 and p.kind = $3 and p.name = $4::jsonb and p.value = $5 and p.success_percent = $6
       and p.fail_percent = $7 and p.turnover_percent = $8 and p.games is not distinct from $9::jsonb
       and p.withdraw_max is not distinct from $10 and p.run_days = $11 and p.coupon_days = $12
     order by p.id desc limit 1`,
    [
      wheelId,
      prize.currency,
      prize.kind,
      JSON.stringify(prize.name),
      prize.value,
      prize.success_percent,
      prize.fail_percent,
      prize.turnover_percent,
      prize.games && JSON.stringify(prize.games),
      prize.withdraw_max,
      prize.run_days,
      prize.coupon_days,
    ],
  );
  return result.rows[0]?.id;
}

/** The wheel that turns for a currency, locked. */
export async function lockTurning(tx: PoolClient, currency: Currency): Promise<WheelRow | undefined> {
  const sql = `select ${WHEEL} from wheel w where w.state = 'OPEN' and w.currency = $1 for update` as const;
  return (await tx.query(sql, [currency])).rows[0];
}

export async function insertWheel(
  tx: PoolClient,
  currency: Currency,
  by: string,
  now: Date,
): Promise<bigint> {
  const result = await tx.query(
    `insert into wheel (currency, state, latest, changed_by, changed_at) values ($1, 'DRAFT', 0, $2, $3) returning id`,
    [currency, by, now],
  );
  return result.rows[0]!.id;
}

interface NewVersion {
  wheelId: bigint;
  version: number;
  name: LocalizedText;
  costPerSpin: number;
  revertsTo: number | null;
}

interface NewSlice {
  code: string;
  label: LocalizedText;
  bgColor: string;
  textColor: string;
  html: LocalizedText;
  weight: number;
  stock: number | null;
  prizeId: bigint | null;
}

/** Writes a version with its slices, in their order. */
export async function insertVersion(
  tx: PoolClient,
  { wheelId, version, name, costPerSpin, revertsTo }: NewVersion,
  slices: readonly NewSlice[],
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into wheel_version (wheel_id, version, name, cost_per_spin, reverts_to, made_by, made_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [wheelId, version, JSON.stringify(name), costPerSpin, revertsTo, by, now],
  );
  await tx.query(
    `insert into wheel_slice (wheel_id, version, position, code, label, bg_color, text_color, html, weight, stock, prize_id)
     select $1, $2, row_number() over (order by s.o) - 1, s.row->>'code', s.row->'label', s.row->>'bgColor', s.row->>'textColor',
       s.row->'html', (s.row->>'weight')::integer, (s.row->>'stock')::bigint, (s.row->>'prizeId')::bigint
     from jsonb_array_elements($3::jsonb) with ordinality s(row, o)`,
    [
      wheelId,
      version,
      JSON.stringify(slices.map((slice) => ({ ...slice, prizeId: slice.prizeId && String(slice.prizeId) }))),
    ],
  );
  await tx.query('update wheel set latest = $2, changed_by = $3, changed_at = $4 where id = $1', [
    wheelId,
    version,
    by,
    now,
  ]);
}

/** Lets members spin a version from now on. */
export async function openVersion(
  tx: PoolClient,
  wheelId: bigint,
  version: number,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await tx.query(
    'update wheel_version set published_at = coalesce(published_at, $3) where wheel_id = $1 and version = $2',
    [wheelId, version, now],
  );
  await tx.query(
    "update wheel set state = 'OPEN', version = $2, changed_by = $3, changed_at = $4 where id = $1",
    [wheelId, version, by, now],
  );
}

export async function closeWheel(
  tx: PoolClient,
  wheelId: bigint,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await tx.query("update wheel set state = 'STOPPED', changed_by = $2, changed_at = $3 where id = $1", [
    wheelId,
    by,
    now,
  ]);
}

export interface VersionRow {
  version: number;
  name: LocalizedText;
  cost_per_spin: number;
  reverts_to: number | null;
  made_by: string;
  made_at: Date;
  published_at: Date | null;
  slices: {
    code: string;
    label: LocalizedText;
    bg_color: string;
    text_color: string;
    html: LocalizedText;
    weight: number;
    stock: number | null;
    prize:
      | (Omit<PrizeColumns, 'value' | 'withdraw_max'> & { value: number; withdraw_max: number | null })
      | null;
  }[];
}

/** Versions of a wheel, newest first; one of them, when named. */
export async function listVersions(db: Db, wheelId: bigint, version: number | null): Promise<VersionRow[]> {
  const result = await db.query(
    `select v.version, v.name, v.cost_per_spin, v.reverts_to, v.made_by, v.made_at, v.published_at,
       (select jsonb_agg(to_jsonb(s) || jsonb_build_object('prize', to_jsonb(p)) order by s.position)
         from wheel_slice s left join prize p on p.id = s.prize_id where s.wheel_id = v.wheel_id and s.version = v.version) as slices /* never null */
     from wheel_version v where v.wheel_id = $1 and ($2::integer is null or v.version = $2) order by v.version desc limit 100`,
    [wheelId, version],
  );
  return result.rows;
}

/** What each slice of a version has given: spins on any version, and the stock left. */
export async function listGiven(
  db: Db,
  wheelId: bigint,
  version: number,
): Promise<{ code: string; spins: number; left: bigint | null }[]> {
  const result = await db.query(
    `select s.code, case when s.stock is not null then greatest(s.stock - p.won, 0) end as left,
       coalesce(k.spins, 0)::int as spins
     from wheel_slice s left join prize p on p.id = s.prize_id
     left join spin_count k on k.wheel_id = s.wheel_id and k.slice_code = s.code where s.wheel_id = $1 and s.version = $2 order by s.position`,
    [wheelId, version],
  );
  return result.rows;
}
