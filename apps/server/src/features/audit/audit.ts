import { exports, overview } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import { pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { timesOf } from '../../platform/http/list.ts';
import { type AuditFilter, countAudit, exportAudit, listAudit } from './queries.ts';

type ListQuery = Omit<Static<typeof overview.listAudit.query>, 'cursor' | 'limit'>;

const filterOf = (query: ListQuery): AuditFilter => ({
  actor: query.actor || null,
  action: query.action || null,
  subject: query.subject || null,
  address: query.address || null,
  ...timesOf(query),
});

/** Answers the audit trail; nobody, at any role, has a call that changes it. */
export function auditCall(declare: OperatorDeclare, deps: ExportDeps): void {
  declare(exports.exportAudit, async ({ params, query, actor, reply }) => {
    const source = exportAudit(filterOf(query), query.sort ?? '-at');
    return sendExport(deps, { actor, reply, name: 'audit', ...params, filters: query }, source);
  });
  declare(overview.listAudit, async ({ query }) => {
    const filter = filterOf(query);
    const isDescending = query.sort !== 'at';
    const total = await countAudit(deps.pool, filter);
    const slice = sliceOf(query, isDescending, total);
    const sort = isDescending === slice.isBackwards ? 'at' : '-at';
    const { rows, ...turns } = pageOf(await listAudit(deps.pool, filter, { ...slice, sort }), slice, query);
    return {
      rows: rows.map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() })),
      total,
      ...turns,
    };
  });
}
