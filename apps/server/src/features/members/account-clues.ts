import type { Pool } from '../../platform/database/db.ts';
import { maskedAccountNo } from '../../platform/masks.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { digitFingerprints } from '../deposits/read.ts';
import { listBankCodes } from './queries.ts';

interface Deps {
  pool: Pool;
  secrets: Secrets;
}

const ACCOUNT_DIGITS = /^\d{8,16}$/;

/** What was typed as an account number, as it would be stored at each bank: numbers are found without being readable. */
export async function accountFingerprints(deps: Deps, typed: string): Promise<Buffer[]> {
  const digits = typed.replace(/[\s-]/g, '');
  if (!ACCOUNT_DIGITS.test(digits)) return [];
  const codes = await listBankCodes(deps.pool);
  return codes.map((code) => deps.secrets.fingerprint('bank-account', `${code} ${digits}`));
}

/** The same for what a bank prints of a number, such as xxx-x-x7001-x, and for four digits of it. */
export const visibleDigits = async (deps: Deps, typed: string): Promise<Buffer[]> =>
  digitFingerprints(deps, typed, await listBankCodes(deps.pool));

/** A bank account as banks print it; null without one. */
export function accountView(
  deps: Pick<Deps, 'secrets'>,
  row: { bank_code?: string | null; account_no_sealed?: Buffer | null; account_name?: string | null },
) {
  if (!row.bank_code || !row.account_no_sealed) return null;
  return {
    bankCode: row.bank_code,
    accountNo: maskedAccountNo(deps.secrets.decrypt('bank-account', row.account_no_sealed)),
    accountName: row.account_name ?? '',
  };
}
