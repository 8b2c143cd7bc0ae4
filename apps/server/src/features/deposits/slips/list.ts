import { slips as slipContract } from '@krapao/contract/member';
import { fromMinor } from '@krapao/contract/shared';
import type { Pool } from '../../../platform/database/db.ts';
import type { Files } from '../../../platform/files.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import { countSlips, findSlipFile, listSlips } from './queries.ts';

export interface SlipListDeps {
  pool: Pool;
  files: Files;
}

/** Declares a member's list of slips and the links to their pictures. */
export function slipListCalls(declare: Declare, deps: SlipListDeps): void {
  declare(slipContract.listSlips, async ({ member, body }) => {
    const rows = await listSlips(deps.pool, member.id, body);
    return {
      slips: rows.map((row) => ({
        id: row.id,
        createdAt: row.created_at.toISOString(),
        amount: row.amount === null ? null : fromMinor(row.amount, row.currency ?? member.currency),
        ...(row.currency && row.currency !== member.currency ? { currency: row.currency } : {}),
        status: row.status,
        note: row.note,
        link: deps.files.link(row.file),
        reference: row.reference,
        ...(row.deposit_id ? { statementId: row.deposit_id } : {}),
      })),
      total: await countSlips(deps.pool, member.id),
    };
  });
  declare(slipContract.readSlip, async ({ member, params, refuse }) => {
    const file = await findSlipFile(deps.pool, member.id, params.reference);
    if (!file) throw refuse('NO_DATA');
    return { url: deps.files.link(file) };
  });
}
