import type { Currency, Language } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';

export interface SlotRow {
  code: string;
  name: string;
  /** Null: as `name`. */
  name_la: string | null;
  name_en: string | null;
  category: 'slot' | 'sport' | 'lotto';
  adapter: string;
  agent: string;
  launch_name: string;
  rate_micro: bigint;
  /** For members in kip; null: as in baht. */
  rate_lak_micro: bigint | null;
  unknown_user_code: 'NO_USER' | 'NOT_AREASLOT' | 'NOT_UFABET';
  logo: string;
  background: string;
  web: string | null;
  android: string | null;
  ios: string | null;
  /** A closed game gives money out and takes none in. */
  is_open: boolean;
  /** In maintenance: cannot be entered or receive money, as a game or with all of its provider's games. */
  is_in_maintenance: boolean;
  /** Least that one transfer takes in, in hundredths of a credit. */
  least_in: bigint | null;
}

/** The rate at which members of a currency play a game; a changed one reaches an account once nothing is in it. */
export const rateOf = (slot: Pick<SlotRow, 'rate_micro' | 'rate_lak_micro'>, currency: Currency): bigint =>
  currency === 'LAK' ? (slot.rate_lak_micro ?? slot.rate_micro) : slot.rate_micro;

/** The game's name in the reader's language. */
export const nameOf = (slot: Pick<SlotRow, 'name' | 'name_la' | 'name_en'>, language: Language): string =>
  ({ th: slot.name, la: slot.name_la ?? slot.name, en: slot.name_en ?? slot.name })[language];

export interface AccountRow {
  member_id: bigint;
  slot_code: string;
  username: string;
  password_sealed: Buffer;
  /** The ledger account of the game's balance. */
  balance_account: bigint;
  rate_micro: bigint;
  credits: bigint;
  outstanding: bigint;
  asked_at: Date | null;
  created_at: Date;
  /** The season or draw the account belongs to, at providers that have several. */
  event: string | null;
  /** Sent to the provider, not yet known to have arrived there. */
  next_password_sealed: Buffer | null;
}

const IN_MAINTENANCE =
  'is_in_maintenance or adapter in (select p.adapter from game_provider p where p.is_in_maintenance)';
const SLOT_COLUMNS =
  `code, name, name_la, name_en, category, adapter, agent, launch_name, rate_micro, rate_lak_micro, unknown_user_code, logo, background, web, android, ios,
  is_open, (${IN_MAINTENANCE}) as is_in_maintenance, least_in` as const;
const ACCOUNT_COLUMNS =
  'member_id, slot_code, username, password_sealed, mirror_account as balance_account, rate_micro, credits, outstanding, asked_at, created_at, event, next_password_sealed';

/** Games that are open, and closed ones in which the member has an account. */
export async function listSlots(db: Db, memberId: bigint): Promise<SlotRow[]> {
  return (
    await db.query(
      `select ${SLOT_COLUMNS} from slot s where is_open or exists (select 1 from game_account g
         where g.slot_code = s.code and g.member_id = $1)
       order by category, position`,
      [memberId],
    )
  ).rows;
}

export async function findSlot(db: Db, code: string): Promise<SlotRow | undefined> {
  return (await db.query(`select ${SLOT_COLUMNS} from slot where code = $1`, [code])).rows[0];
}

export async function findSlotByLaunchName(db: Db, game: string): Promise<SlotRow | undefined> {
  return (await db.query(`select ${SLOT_COLUMNS} from slot where launch_name = $1`, [game])).rows[0];
}

/** The member's opened game accounts. */
export async function listAccounts(db: Db, memberId: bigint): Promise<AccountRow[]> {
  return (
    await db.query(
      `select ${ACCOUNT_COLUMNS} from game_account where member_id = $1 and state = 'ACTIVE' order by slot_code`,
      [memberId],
    )
  ).rows;
}

export async function findAccount(
  db: Db,
  memberId: bigint,
  slotCode: string,
): Promise<AccountRow | undefined> {
  const sql =
    `select ${ACCOUNT_COLUMNS} from game_account where member_id = $1 and slot_code = $2 and state = 'ACTIVE'` as const;
  return (await db.query(sql, [memberId, slotCode])).rows[0];
}

/**
 * Takes the right to open an account: true for one caller, and 15 s later by the database's time for another, when the
 * first never learnt whether the provider had opened it. False for all when the member's player at this agent of the
 * provider belongs to another game.
 */
export async function reserveAccount(
  db: Db,
  account: {
    memberId: bigint;
    slotCode: string;
    username: string;
    sealed: Buffer;
    balanceAccount: bigint;
    rateMicro: bigint;
    now: Date;
  },
): Promise<boolean> {
  const result = await db.query(
    `insert into game_account (member_id, slot_code, username, password_sealed, mirror_account, state, rate_micro, created_at)
     select $1, $2, $3, $4, $5, 'OPENING', $6, $7 where not exists (
       select 1 from game_account g join slot o on o.code = g.slot_code join slot s on s.code = $2
       where g.member_id = $1 and o.code <> s.code and o.adapter = s.adapter and lower(o.agent) = lower(s.agent))
     on conflict (member_id, slot_code) do update set password_sealed = excluded.password_sealed, created_at = excluded.created_at, reserved_at = now()
       where game_account.state = 'OPENING' and game_account.reserved_at < now() - interval '15 seconds'`,
    [
      account.memberId,
      account.slotCode,
      account.username,
      account.sealed,
      account.balanceAccount,
      account.rateMicro,
      account.now,
    ],
  );
  return result.rowCount === 1;
}

export async function confirmAccount(
  db: Db,
  memberId: bigint,
  slotCode: string,
  event: string | null,
): Promise<void> {
  await db.query(
    "update game_account set state = 'ACTIVE', event = $3 where member_id = $1 and slot_code = $2",
    [memberId, slotCode, event],
  );
}

/**
 * Stores a new password before it is sent to the provider; a pending one stays. Returns the password to send, or null
 * when the last request was too recent.
 */
export async function keepNextPassword(
  db: Db,
  account: Pick<AccountRow, 'member_id' | 'slot_code'>,
  next: { sealed: Buffer; now: Date; seconds: number },
): Promise<Buffer | null> {
  const result = await db.query(
    `update game_account set next_password_sealed = coalesce(next_password_sealed, $3), password_asked_at = $4
     where member_id = $1 and slot_code = $2 and state = 'ACTIVE'
       and (password_asked_at is null or password_asked_at <= $4::timestamptz - $5 * interval '1 second')
     returning next_password_sealed`,
    [account.member_id, account.slot_code, next.sealed, next.now, next.seconds],
  );
  return result.rows[0]?.next_password_sealed ?? null;
}

/** Ends a pending password: it is active, or it never arrived. Does not touch a newer pending one. */
export async function endNextPassword(
  db: Db,
  account: Pick<AccountRow, 'member_id' | 'slot_code'>,
  sealed: Buffer,
  arrived: boolean,
): Promise<void> {
  await db.query(
    `update game_account set next_password_sealed = null,
       password_sealed = case when $4 then next_password_sealed else password_sealed end,
       password_asked_at = case when $4 then password_asked_at end
     where member_id = $1 and slot_code = $2 and next_password_sealed = $3`,
    [account.member_id, account.slot_code, sealed, arrived],
  );
}

/** Deletes a reservation after a refusal, or without a response when `retry` allows another attempt at once. */
export async function dropReservation(db: Db, memberId: bigint, slotCode: string): Promise<void> {
  await db.query("delete from game_account where member_id = $1 and slot_code = $2 and state = 'OPENING'", [
    memberId,
    slotCode,
  ]);
}

/**
 * What is booked of a game account, with the version and the rate it is booked at: as they are at one moment, because a
 * changed rate may have reached the account since it was read.
 */
export async function readBooked(
  db: Db,
  { member_id, slot_code }: Pick<AccountRow, 'member_id' | 'slot_code'>,
): Promise<{ balance: bigint; version: bigint; rate_micro: bigint }> {
  const result = await db.query(
    `select a.balance, a.version, g.rate_micro from game_account g join ledger_account a on a.id = g.mirror_account
     where g.member_id = $1 and g.slot_code = $2`,
    [member_id, slot_code],
  );
  return result.rows[0]!;
}

/** A changed rate reaches an account once nothing is in it. */
export async function adoptRate(
  db: Db,
  memberId: bigint,
  slotCode: string,
  rateMicro: bigint,
): Promise<void> {
  await db.query(
    'update game_account set rate_micro = $3 where member_id = $1 and slot_code = $2 and credits = 0 and outstanding = 0',
    [memberId, slotCode, rateMicro],
  );
}

/** Returns the next turn, which orders readings and ends of transfers over all servers. */
export async function takeTurn(db: Db): Promise<bigint> {
  return (await db.query("select nextval('game_turn') as turn")).rows[0]!.turn;
}

/**
 * Allows a refresh of all games once per interval in seconds; false when it is too early. A future time, written by a
 * server with a fast clock, is ignored.
 */
export async function takeRefresh(db: Db, memberId: bigint, now: Date, seconds: number): Promise<boolean> {
  const result = await db.query(
    "update member set last_sync = $2 where id = $1 and (last_sync is null or last_sync > $2 or last_sync <= $2::timestamptz - $3 * interval '1 second')",
    [memberId, now, seconds],
  );
  return result.rowCount === 1;
}

export async function readLastSync(db: Db, memberId: bigint): Promise<Date | null> {
  return (
    (await db.query('select last_sync from member where id = $1', [memberId])).rows[0]?.last_sync ?? null
  );
}

export interface TransferRow {
  id: string;
  member_id: bigint;
  slot_code: string;
  direction: 'IN' | 'OUT';
  amount: bigint;
  credits: bigint;
  state: 'RESERVED' | 'UNKNOWN' | 'DONE' | 'FAILED';
  asked: number;
  age_seconds: number;
  currency: Currency;
  wallet_account: bigint;
  hold_account: bigint;
  created_at: Date;
}

const TRANSFER_SELECT = `select t.id, t.member_id, t.slot_code, t.direction, t.amount, t.credits, t.state, t.asked, t.created_at,
    extract(epoch from now() - t.sent_at)::float8 as age_seconds, m.currency, m.wallet_account, m.hold_account
  from provider_transfer t join member m on m.id = t.member_id`;

export async function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return (await db.query(`${TRANSFER_SELECT} where t.id = $1`, [id])).rows[0];
}

/**
 * Lists transfers with an unknown outcome whose call must have ended and whose check is not scheduled: those of a
 * provider that is silent for long do not hide others. A check that runs has given up its key; one that is locked under
 * it was taken by a worker that does not know of it, because the database changed before it could say so.
 */
export async function listUnresolved(db: Db, olderThanSeconds: number): Promise<string[]> {
  const result = await db.query(
    `select t.id from provider_transfer t
     where t.state in ('RESERVED', 'UNKNOWN') and t.sent_at < now() - $1 * interval '1 second'
       and not exists (select 1 from graphile_worker._private_jobs j
         where j.key = 'transfers.resolve:' || t.id and j.attempts < j.max_attempts and j.locked_at is null)
     order by t.sent_at limit 200`,
    [olderThanSeconds],
  );
  return result.rows.map((row) => row.id);
}

/** Records a check of a transfer whose outcome stays unknown. */
export async function markUnknown(db: Db, id: string): Promise<void> {
  await db.query(
    "update provider_transfer set state = 'UNKNOWN', asked = asked + 1 where id = $1 and state in ('RESERVED', 'UNKNOWN')",
    [id],
  );
}

/** Marks a transfer as unknown whose outcome could not be queried now; operators can settle it. */
export async function markUnasked(db: Db, id: string): Promise<void> {
  await db.query("update provider_transfer set state = 'UNKNOWN' where id = $1 and state = 'RESERVED'", [id]);
}

/** Holds a transfer as it is until the transaction ends. */
export async function lockTransfer(tx: PoolClient, id: string): Promise<void> {
  await tx.query('select 1 from provider_transfer where id = $1 for share', [id]);
}

/** Alerts operators to a transfer while its outcome is unknown; one that was settled meanwhile opens no alert. */
export async function alertUnknown(db: Db, id: string, detail: string, now: Date): Promise<boolean> {
  const sql = `select alert_open('transfer-unknown', 'transfer:' || t.id, $2, $3) as opened
    from (select id from provider_transfer where id = $1 and state = 'UNKNOWN' for share) t`;
  return (await db.query(sql, [id, detail, now])).rows[0]?.opened === true;
}

/** Whether the terms of a run under way keep money out of a game. */
export async function isBarred(db: Db, memberId: bigint, slotCode: string, now: Date): Promise<boolean> {
  const sql = `select 1 from bonus_run
    where member_id = $1 and state = 'ACTIVE' and (expires_at <= $3 or not bonus_takes(games, $2))`;
  return (await db.query(sql, [memberId, slotCode, now])).rows.length > 0;
}
