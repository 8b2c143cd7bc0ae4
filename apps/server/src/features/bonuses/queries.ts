import type { Currency, LocalizedText, RunKind } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';
import { untyped } from '../../platform/database/untyped.ts';
import { BadTerms } from './terms-rows.ts';

/** What a run is held to; frozen when it starts. Amounts in minor units. */
export interface RunTerms {
  success_percent: number;
  fail_percent: number;
  turnover_percent: number;
  /** Slot code to weight in percent; null: every game. */
  games: Record<string, number> | null;
  withdraw_max: bigint | null;
  days: number;
}

/** A bonus as operators have set it; amounts in minor units. */
export interface BonusRow extends RunTerms {
  id: bigint;
  code: string;
  kind: 'bonus' | 'promotion';
  title: LocalizedText;
  /** Html. */
  description: LocalizedText;
  banners: { image: string; html: LocalizedText }[];
  award: 'fixed' | 'percent';
  award_amount: bigint | null;
  award_percent: number | null;
  award_max: bigint | null;
  deposit_min: bigint | null;
  deposit_max: bigint | null;
  count_by: 'limit' | 'day' | 'week';
  max_received: number;
  quota: number | null;
  /** A promotion received by codes for one person each instead of its own. */
  single_codes: boolean;
  ends_at: Date | null;
  version: number;
  /** Since when receipts count against max_received; null: since ever. */
  received_since: Date | null;
}

const BONUS_COLUMNS = `id, code, kind, title, description, banners, award, award_amount, award_percent, award_max, deposit_min, deposit_max,
  success_percent, fail_percent, turnover_percent, games, withdraw_max, days, count_by, max_received, quota, ends_at, version, single_codes,
  case count_by when 'limit' then null
    else date_trunc(count_by, $1::timestamptz at time zone 'Asia/Bangkok') at time zone 'Asia/Bangkok' end as received_since`;
const OFFERED =
  'is_open and currency = $2 and (starts_at is null or starts_at <= $1) and (ends_at is null or ends_at > $1)';

/**
 * Bonuses on offer to a member at a moment, in their order. Not listed are promotions, and bonuses whose quota of
 * receipts is used up, unless the member's active run is of them.
 */
export async function listOffered(
  db: Db,
  now: Date,
  { id, currency }: { id: bigint; currency: Currency },
): Promise<BonusRow[]> {
  const sql = `select ${BONUS_COLUMNS} from bonus where ${OFFERED} and kind = 'bonus'
    and (quota is null or bonus_received(id) < quota
      or exists (select 1 from bonus_run r where r.member_id = $3 and r.bonus_id = bonus.id and r.state = 'ACTIVE'))
    order by position, id` as const;
  return (await db.query(sql, [now, currency, id])).rows;
}

/** The promotion of a code for one person that is neither used nor revoked. */
const OF_SINGLE_CODE =
  'select p.bonus_id from promotion_code c join promotion_batch p on p.id = c.batch_id where c.code = $4 and c.run_id is null and p.revoked_at is null';

/** The bonus or promotion of a code, while it is on offer. */
export async function findOffered(
  db: Db,
  now: Date,
  currency: Currency,
  { kind, code }: Pick<BonusRow, 'kind' | 'code'>,
): Promise<BonusRow | undefined> {
  const sql = `select ${BONUS_COLUMNS} from bonus where ${OFFERED} and kind = $3
    and (case when single_codes then id = (${OF_SINGLE_CODE}) else code = $4 end)` as const;
  return (await db.query(sql, [now, currency, kind, code])).rows[0];
}

/** Whether a member has received a promotion by this code for one person. */
export async function hasUsedCode(db: Db, memberId: bigint, code: string): Promise<boolean> {
  const sql =
    'select 1 from promotion_code c join bonus_run r on r.id = c.run_id where c.code = $1 and r.member_id = $2';
  return (await db.query(sql, [code, memberId])).rows.length > 0;
}

/** Whether a bonus's quota of receipts is used up. */
export async function isFull(db: Db, { id, quota }: Pick<BonusRow, 'id' | 'quota'>): Promise<boolean> {
  if (quota === null) return false;
  const sql = 'select coalesce(bonus_received($1), 0) as received';
  return (await db.query(sql, [id])).rows[0]!.received >= quota;
}

/** A run with its progress by the last known figures; amounts in minor units. */
export interface RunRow {
  id: string;
  member_id: bigint;
  wallet_account: bigint;
  currency: Currency;
  hold_account: bigint;
  kind: RunKind;
  label: string;
  /** The bonus's title now; null for a run no bonus started. */
  title: LocalizedText | null;
  qualifying: bigint;
  granted: bigint;
  success_percent: number;
  fail_percent: number;
  turnover_percent: number;
  games: Record<string, number> | null;
  withdraw_max: bigint | null;
  expires_at: Date;
  started_at: Date;
  turnover: bigint;
  stuck_since: Date | null;
  standing: bigint;
  /** A transfer of the member is on its way. */
  is_moving: boolean;
}

const RUN_SELECT = `select r.id, r.member_id, r.wallet_account, m.currency, m.hold_account, r.kind, r.label, b.title, r.qualifying,
    r.granted, r.success_percent, r.fail_percent, r.turnover_percent, r.games, r.withdraw_max, r.expires_at, r.started_at,
    r.turnover, r.stuck_since, bonus_standing(r) as standing,
    exists (select 1 from provider_transfer t where t.member_id = r.member_id and t.state in ('RESERVED', 'UNKNOWN')) as is_moving
  from bonus_run r join member m on m.id = r.member_id left join bonus b on b.id = r.bonus_id`;

export async function findActiveRun(db: Db, memberId: bigint): Promise<RunRow | undefined> {
  const sql = `${RUN_SELECT} where r.member_id = $1 and r.state = 'ACTIVE'` as const;
  return (await db.query(sql, [memberId])).rows[0];
}

/** Alerts operators to a run that cannot end; one that has ended meanwhile opens no alert. */
export async function alertStuck(db: Db, runId: string, detail: string, now: Date): Promise<boolean> {
  const sql = `select alert_open('bonus-stuck', 'member:' || r.member_id, $2, $3) as opened
    from (select member_id from bonus_run where id = $1 and state = 'ACTIVE' for share) r`;
  return (await db.query(sql, [runId, detail, now])).rows[0]?.opened === true;
}

export async function hasActiveRun(db: Db, memberId: bigint): Promise<boolean> {
  const sql = "select 1 from bonus_run where member_id = $1 and state = 'ACTIVE'";
  return (await db.query(sql, [memberId])).rows.length > 0;
}

/** A run past its time. */
export interface DueRun {
  member_id: bigint;
  expires_at: Date;
}

/** Runs past their time, the longest overdue first, behind the given one; null: from the first. */
export async function listDue(db: Db, now: Date, after: DueRun | null, limit: number): Promise<DueRun[]> {
  const sql = `select member_id, expires_at from bonus_run
    where state = 'ACTIVE' and expires_at <= $1 and ($2::timestamptz is null or (expires_at, member_id) > ($2, $3))
    order by expires_at, member_id limit $4`;
  return (await db.query(sql, [now, after?.expires_at ?? null, after?.member_id ?? null, limit])).rows;
}

/** Members whose run could not be decided because a provider did not respond, behind the given one; null: from the first. */
export async function listStuck(
  db: Db,
  now: Date,
  after: bigint | null,
  limit: number,
): Promise<{ member_id: bigint }[]> {
  const sql = `select member_id from bonus_run
    where stuck_since is not null and state = 'ACTIVE' and expires_at > $1 and ($2::bigint is null or member_id > $2)
    order by member_id limit $3`;
  return (await db.query(sql, [now, after, limit])).rows;
}

/** What a member received of bonuses, oldest first. */
export async function listReceived(
  db: Db,
  memberId: bigint,
): Promise<{ bonus_id: bigint; started_at: Date; is_active: boolean }[]> {
  const result = await db.query(
    `select bonus_id, started_at, state = 'ACTIVE' as is_active from bonus_run
     where member_id = $1 and bonus_id is not null order by started_at, id`,
    [memberId],
  );
  return result.rows;
}

/** How often a member received a bonus since a moment; null: since ever. */
export async function countReceived(
  db: Db,
  memberId: bigint,
  bonusId: bigint,
  since: Date | null,
): Promise<number> {
  const result = await db.query(
    `select count(*)::int as count from bonus_run
     where member_id = $1 and bonus_id = $2 and ($3::timestamptz is null or started_at >= $3)`,
    [memberId, bonusId, since],
  );
  return result.rows[0]!.count;
}

/** Everything the member has, stakes and transfers on the way included, and whether any of it keeps a run from starting. */
export async function readWhole(
  db: Db,
  memberId: bigint,
  games: BonusRow['games'],
): Promise<{ total: bigint; remains: boolean }> {
  const result = await db.query('select member_total($1) as total, bonus_remains($1, $2::jsonb) as remains', [
    memberId,
    games && JSON.stringify(games),
  ]);
  return result.rows[0]!;
}

/** Games that hold money of a member which their providers move, see bonus_remains. */
export async function listFilledGames(db: Db, memberId: bigint): Promise<string[]> {
  const result = await db.query(
    `select a.slot_code from ledger_account a
     where a.member_id = $1 and a.kind = 'mirror' and a.balance > 0 and game_is_movable($1, a.slot_code)
     order by a.slot_code`,
    [memberId],
  );
  return result.rows.map(({ slot_code }) => slot_code).filter((code) => code !== null);
}

/** Deposits of a member that may back a run, the latest first. */
export async function listBacking(db: Db, memberId: bigint, since: Date): Promise<bigint[]> {
  const result = await db.query(
    `select amount from deposit where member_id = $1 and created_at > $2
       and bonus_deposit_fits(id, member_id) order by created_at desc, id desc limit 100`,
    [memberId, since],
  );
  return result.rows.map((row) => row.amount);
}

/** The latest deposit that may back a run and is in the range. */
export async function findBacking(
  db: Db,
  memberId: bigint,
  range: { since: Date; min: bigint; max: bigint | null },
): Promise<{ id: string; amount: bigint } | undefined> {
  const result = await db.query(
    `select id, amount from deposit where member_id = $1 and created_at > $2 and amount >= $3 and ($4::bigint is null or amount <= $4)
       and bonus_deposit_fits(id, member_id) order by created_at desc, id desc limit 1`,
    [memberId, range.since, range.min, range.max],
  );
  return result.rows[0];
}

/** The bets counted so far, as the providers reported them. */
export async function noteTurnover(db: Db, runId: string, turnover: bigint): Promise<void> {
  await db.query("update bonus_run set turnover = $2 where id = $1 and state = 'ACTIVE' and turnover < $2", [
    runId,
    turnover,
  ]);
}

/** Stores the time since which a member's run could not be decided because a provider did not respond; the first time counts. */
export async function markStuck(db: Db, memberId: bigint, at: Date): Promise<void> {
  await db.query(
    "update bonus_run set stuck_since = $2 where member_id = $1 and state = 'ACTIVE' and stuck_since is null",
    [memberId, at],
  );
}

/** All providers have responded again. */
export async function clearStuck(db: Db, runId: string): Promise<void> {
  await db.query("update bonus_run set stuck_since = null where id = $1 and state = 'ACTIVE'", [runId]);
}

/** Throws BadTerms when terms name a game that is not there. */
export async function requireGames(db: Db, games: Readonly<Record<string, number>> | null): Promise<void> {
  const codes = Object.keys(games ?? {});
  const sql = 'select code from slot where code = any($1)';
  const known = new Set((await db.query(sql, [codes])).rows.map(({ code }) => code));
  const unknown = codes.find((code) => !known.has(code));
  if (unknown !== undefined) throw new BadTerms(`/games: no game has the code ${unknown}`);
}

/**
 * Puts a bonus on offer, or gives the one of this code new terms as its next version; returns the version. Runs keep
 * the terms they were started with. Throws BadTerms when the one that is there has another currency or kind.
 */
export async function saveBonus(
  db: Db,
  columns: Readonly<Record<string, unknown>>,
  change: { by: string; now: Date; reason?: string | null; reverts?: number | null },
): Promise<number> {
  const row: Record<string, unknown> = {
    ...columns,
    changed_by: change.by,
    changed_at: change.now,
    changed_reason: change.reason ?? null,
    reverts: change.reverts ?? null,
  };
  const names = Object.keys(row);
  const result = await untyped(db).query(
    `insert into bonus (${names.join(', ')}, position)
     values (${names.map((_, index) => `$${index + 1}`).join(', ')}, (select coalesce(max(position), 0) + 1 from bonus))
     on conflict (code) do update set version = bonus.version + 1, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
     where bonus.currency = excluded.currency and bonus.kind = excluded.kind returning version`,
    names.map((name) => row[name]),
  );
  const [saved] = result.rows;
  // Money already granted cannot change its currency, nor a code its way of being found.
  if (!saved) throw new BadTerms('changes the currency or kind of a bonus that is there');
  return saved.version;
}
