import { exports, overview } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import { choicesOf } from '../../platform/http/choices.ts';
import { boundedTotal, countedOf, type PagingName, pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { timesOf } from '../../platform/http/list.ts';
import { AUDIT_KEYS, type AuditFilter, countAudit, exportAudit, listAudit } from './queries.ts';

type ListQuery = Omit<Static<typeof overview.listAudit.query>, PagingName>;

const filterOf = (query: ListQuery): AuditFilter => ({
  actor: query.actor || null,
  action: choicesOf(query.action),
  subject: query.subject || null,
  address: query.address || null,
  ...timesOf(query),
});

/** Returns the audit trail; no role has a call that changes it. */
export function auditCall(declare: OperatorDeclare, deps: ExportDeps): void {
  declare(exports.exportAudit, async ({ params, query, actor, reply }) => {
    const source = exportAudit(filterOf(query), query.sort ?? '-at');
    return sendExport(deps, { actor, reply, name: 'audit', ...params, filters: query }, source);
  });
  declare(overview.listAudit, async ({ query }) => {
    const filter = filterOf(query);
    const counted = countedOf(query);
    const slice = sliceOf(query, AUDIT_KEYS, '-at');
    const [found, count] = await Promise.all([
      listAudit(deps.reads, filter, slice),
      countAudit(deps.reads, filter, counted),
    ]);
    const { rows, turns } = pageOf(found, slice);
    return {
      rows: rows.map(({ cursor_value: _, ...row }) => ({
        ...row,
        id: String(row.id),
        at: row.at.toISOString(),
      })),
      ...boundedTotal(count, counted),
      ...turns,
    };
  });
}
