import type { Currency } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../../platform/database/db.ts';

export type ChannelType = 'BANK' | 'WW' | 'ZAPMAN' | 'WALLET';

export interface ChannelRow {
  id: bigint;
  bank_code: string;
  bank_name: string;
  bank_name_en: string;
  bank_color: string | null;
  bank_type: ChannelType;
  mode: 'AUTO' | 'QR';
  account_name: string;
  account_no: string;
  currency: Currency;
  is_open: boolean;
  is_paused: boolean;
  daily_ceiling: bigint | null;
  position: number;
  version: number;
}

const COLUMNS = `d.id, d.bank_code, coalesce(b.name_local, d.bank_code) as bank_name,
    coalesce(b.name_en, d.bank_code) as bank_name_en, b.color as bank_color, d.bank_type, d.mode, d.account_name, d.account_no, d.currency, d.is_open, d.is_paused, d.daily_ceiling, d.position, d.version`;
const FROM = 'deposit_account d left join bank b on b.code = d.bank_code';

/** Lists all deposit accounts with today's incoming minor units, in the order offered to members. */
export async function listChannels(db: Db, now: Date): Promise<(ChannelRow & { today: bigint })[]> {
  const sql =
    `select ${COLUMNS}, arrived_today(d.bank_code, d.account_no, $1) as today from ${FROM} order by d.position, d.id` as const;
  return (await db.query(sql, [now])).rows;
}

/** One account, locked until the transaction ends. */
export async function lockChannel(tx: PoolClient, id: string): Promise<ChannelRow | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  return (await tx.query(`select ${COLUMNS} from ${FROM} where d.id = $1 for update of d`, [id])).rows[0];
}

/** Lets one transaction at a time change the list. */
export async function lockChannels(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('deposit-accounts'))");
}

export async function writeChannel(
  db: Db,
  id: bigint,
  to: { isOpen: boolean; isPaused: boolean; ceiling: bigint | null },
): Promise<void> {
  await db.query(
    'update deposit_account set is_open = $2, is_paused = $3, daily_ceiling = $4, version = version + 1 where id = $1',
    [id, to.isOpen, to.isPaused, to.ceiling],
  );
}

export interface NewChannel {
  bankCode: string;
  bankType: ChannelType;
  mode: 'AUTO' | 'QR';
  accountName: string;
  accountNo: string;
  currency: Currency;
  staticQr: string | null;
}

/** Whether an account of this number is in the list already, whatever its state. */
export async function channelExists(db: Db, channel: NewChannel): Promise<boolean> {
  const sql = 'select 1 from deposit_account where bank_code = $1 and mode = $2 and account_no = $3';
  return (await db.query(sql, [channel.bankCode, channel.mode, channel.accountNo])).rows.length > 0;
}

/** Adds an account at a place in the order, or at the end. */
export async function insertChannel(
  db: Db,
  channel: NewChannel,
  place: { position: number | null; ceiling: bigint | null },
): Promise<bigint> {
  const result = await db.query(
    `insert into deposit_account (bank_code, bank_type, mode, account_name, account_no, currency, static_qr, daily_ceiling, position)
     values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, (select coalesce(max(position), 0) + 1 from deposit_account))) returning id`,
    [
      channel.bankCode,
      channel.bankType,
      channel.mode,
      channel.accountName,
      channel.accountNo,
      channel.currency,
      channel.staticQr,
      place.ceiling,
      place.position,
    ],
  );
  return result.rows[0]!.id;
}

export async function orderChannels(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(
    `update deposit_account d set position = o.position
     from unnest($1::bigint[]) with ordinality o(id, position) where d.id = o.id`,
    [ids],
  );
}

/** Returns whether a bank code is known and may be used for a deposit account. */
export async function bankIsKnown(db: Db, code: string): Promise<boolean> {
  return (await db.query('select 1 from bank where code = $1', [code])).rows.length > 0;
}
