import type { Pool } from '../../../platform/database/db.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { insertDigits, listUnindexed } from './queries.ts';

interface Deps {
  pool: Pool;
  secrets: Secrets;
}

/** The digits that masks leave visible: the four before the last one, and the last four. */
const WINDOWS = { middle: [-5, -1], last: [-4, undefined] } as const;

export type Window = keyof typeof WINDOWS;

const shownDigits = (mask: string, window: Window): string | null => {
  const digits = mask.replace(/[^0-9xX*]/g, '').slice(...WINDOWS[window]);
  return /^\d{4}$/.test(digits) ? digits : null;
};

const fingerprint = (deps: Pick<Deps, 'secrets'>, bankCode: string, window: Window, digits: string): Buffer =>
  deps.secrets.fingerprint(`bank-${window}`, `${bankCode} ${digits}`);

/** A keyed hash of the digits a window shows; null when one of them is hidden. */
export function windowOf(
  deps: Pick<Deps, 'secrets'>,
  bankCode: string,
  mask: string,
  window: Window,
): Buffer | null {
  const digits = shownDigits(mask, window);
  return digits === null ? null : fingerprint(deps, bankCode, window, digits);
}

/** Makes every registered account findable by its visible digits; does nothing when all are. */
export async function indexAccounts(deps: Deps): Promise<void> {
  for (;;) {
    const rows = await listUnindexed(deps.pool);
    if (rows.length === 0) return;
    const hidden = Buffer.alloc(0);
    await insertDigits(
      deps.pool,
      rows.map((row) => {
        const digits = deps.secrets.decrypt('bank-account', row.account_no_sealed);
        return {
          id: row.id,
          middle: windowOf(deps, row.bank_code, digits, 'middle') ?? hidden,
          last: windowOf(deps, row.bank_code, digits, 'last') ?? hidden,
        };
      }),
    );
  }
}

/** A number as banks print it, or four digits alone. */
const PRINTED = /^(?=(?:\D*\d){4})[0-9xX*][0-9xX*\s-]{3,20}$/;

/**
 * Returns the keyed hashes under which accounts at any of the banks are found by what is visible of their number:
 * `xxx-x-x7001-x` as banks print it, or four digits alone, which may be the last ones or those before the last. Empty
 * for any other text.
 */
export async function digitFingerprints(
  deps: Deps,
  typed: string,
  bankCodes: readonly string[],
): Promise<Buffer[]> {
  const isFour = /^\d{4}$/.test(typed);
  if (!isFour && !(PRINTED.test(typed) && /[xX*]/.test(typed))) return [];
  await indexAccounts(deps);
  const windows = (['middle', 'last'] as const).map(
    (window) => [window, isFour ? typed : shownDigits(typed, window)] as const,
  );
  return windows.flatMap(([window, digits]) =>
    digits ? bankCodes.map((code) => fingerprint(deps, code, window, digits)) : [],
  );
}
