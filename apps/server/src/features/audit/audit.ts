import { exports, overview } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { rangeOf, timesOf } from '../../platform/http/list.ts';
import { type AuditFilter, exportAudit, listAudit } from './queries.ts';

type ListQuery = Omit<Static<typeof overview.listAudit.query>, 'page' | 'limit'>;

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
    const { rows, total } = await listAudit(deps.pool, filter, {
      ...rangeOf(query),
      sort: query.sort ?? '-at',
    });
    return {
      rows: rows.map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() })),
      total,
    };
  });
}
