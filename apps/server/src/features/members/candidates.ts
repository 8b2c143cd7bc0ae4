import { fromMinor } from '@krapao/contract/shared';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { maskedPhone } from '../../platform/masks.ts';
import { searchOf } from '../../platform/member-search.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { accountFingerprints, accountView, visibleDigits } from './account-clues.ts';
import { findCandidates, listRecentDeposits } from './candidate-queries.ts';

interface Deps {
  pool: Pool;
  config: Config;
  secrets: Secrets;
}

/**
 * Lists the members who may be meant, each with what tells them from another of the same name.
 * @param ids members to list in any case
 * @param text what was typed; null: only those
 */
export async function listCandidates(deps: Deps, ids: readonly bigint[], text: string | null) {
  const rows = await findCandidates(deps.pool, {
    ids,
    ...searchOf(deps, text ?? undefined),
    fingerprints: text ? await accountFingerprints(deps, text) : [],
    digits: text ? await visibleDigits(deps, text) : [],
  });
  const deposits = await listRecentDeposits(
    deps.pool,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    phone: maskedPhone(row.phone),
    status: row.status,
    currency: row.currency,
    account: accountView(deps, row),
    deposits: deposits
      .filter((deposit) => deposit.member_id === row.id)
      .map((deposit) => ({
        amount: fromMinor(deposit.amount, row.currency),
        channel: deposit.channel,
        at: deposit.created_at.toISOString(),
      })),
  }));
}
