import type { Currency, Language, Variant } from '@krapao/contract/shared';
import type { Pool } from '../../platform/database/db.ts';

export interface BankRow {
  code: string;
  name_local: string;
  name_en: string;
  name_lao: string | null;
  color: string | null;
}

/** Banks of a variant in the order they are offered. */
export async function listBanks(pool: Pool, variant: Variant): Promise<BankRow[]> {
  const result = await pool.query(
    'select code, name_local, name_en, name_lao, color from bank where variant = $1 and is_open order by position',
    [variant],
  );
  return result.rows;
}

export interface DepositAccountRow {
  bank_code: string;
  bank_type: 'BANK' | 'WW' | 'ZAPMAN' | 'WALLET';
  mode: 'AUTO' | 'QR';
  account_name: string;
  account_no: string;
  currency: Currency;
  name_local: string;
  name_en: string;
  name_lao: string | null;
}

/**
 * Deposit accounts of a currency that members may pay into now, best first: open, not paused, below today's ceiling.
 * The bank of the member's open QR is among them while it is open: that QR can still be paid.
 */
export async function listDepositAccounts(
  pool: Pool,
  currency: Currency,
  openQr: string | null,
  now: Date,
): Promise<DepositAccountRow[]> {
  const result = await pool.query(
    `select d.bank_code, d.bank_type, d.mode, d.account_name, d.account_no, d.currency,
       coalesce(b.name_local, d.bank_code) as name_local, coalesce(b.name_en, d.bank_code) as name_en, b.name_lao
     from deposit_account d left join bank b on b.code = d.bank_code
     where d.is_open and d.currency = $1
       and (d.mode <> 'QR' or qr_is_watched(d.currency, d.bank_code, d.account_no))
       and (d.mode = 'QR' and d.bank_code = $3
         or not d.is_paused
           and (d.daily_ceiling is null or arrived_today(d.bank_code, d.account_no, $2) < d.daily_ceiling))
     order by d.position, d.id`,
    [currency, now, openQr],
  );
  return result.rows;
}

/** Whether slips of transfers in a currency are taken: only Thai banks put a code on theirs. */
export async function takesSlips(pool: Pool, currency: Currency): Promise<boolean> {
  if (currency !== 'BAHT') return false;
  const result = await pool.query(
    `select 1 from deposit_account where mode = 'AUTO' and bank_type = 'BANK' and currency = 'BAHT' and is_open limit 1`,
  );
  return result.rows.length > 0;
}

/** Sources from which a member may know us, in a language. */
export async function listSources(
  pool: Pool,
  language: Language,
): Promise<{ code: string; description: string }[]> {
  const result = await pool.query(
    `select code, case $1 when 'th' then description_th when 'la' then description_la else description_en end as description
     from source where is_open order by position`,
    [language],
  );
  return result.rows;
}
