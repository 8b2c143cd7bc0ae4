import { PassThrough } from 'node:stream';
import { MINUTE_MS } from '@krapao/contract/durations';
import { statement } from '@krapao/contract/member';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { exportQuery } from '../../platform/backup/csv.ts';
import type { Budgets } from '../../platform/budget.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Reads } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { type CallDeps, memberDoor } from '../../platform/http/declare.ts';
import { beginDownload } from '../../platform/http/download.ts';
import { languageOf } from '../../platform/http/language.ts';
import type { Limits } from '../../platform/limits.ts';
import { requireWithinLimit } from '../../platform/limits.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { rowFilterOf } from './filter.ts';
import { STATEMENT_EXPORT } from './queries.ts';

export interface StatementExportDeps extends CallDeps {
  limits: Limits;
  config: Config;
  /** Reads that may take their time. */
  backgroundReads: Reads;
  clock: Clock;
  settings: Settings;
  budgets: Pick<Budgets, 'memberExports'>;
}

const MINUTE_MAX = 6;

/**
 * POST /api/statement/csv with a StatementFilter: streams the member's own rows as CSV, as `exportQuery` writes it.
 * Six a minute and one at a time, then REQUEST_LIMIT; Overloaded while too many others are under way.
 */
export function statementExport(app: FastifyInstance, deps: StatementExportDeps): void {
  const enter = memberDoor(deps);
  const members = new WeakMap<object, Member>();
  app.route({
    method: 'POST',
    url: '/api/statement/csv',
    schema: { body: statement.StatementFilter, hide: true } as never,
    onRequest: async (request) => {
      members.set(request, await enter(request));
    },
    handler: async (request, reply) => {
      const member = members.get(request)!;
      const filter = rowFilterOf(request.body as Static<typeof statement.StatementFilter>);
      beginDownload(reply, deps.budgets.memberExports, String(member.id));
      const window = { key: `statement-csv:${member.id}`, max: MINUTE_MAX, ms: MINUTE_MS };
      await requireWithinLimit(deps.limits, window, deps.clock.now());
      const { type = null, statuses = null, from = null, to = null } = filter ?? {};
      const sink = new PassThrough();
      const values = [member.id, type, statuses, from, to, languageOf(request, deps.config.variant)] as const;
      const source = pageSource(STATEMENT_EXPORT, values, 'reference');
      exportQuery(deps.backgroundReads, source, sink).then(
        () => sink.end(),
        (error: Error) => sink.destroy(error),
      );
      return reply
        .type('text/csv; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="statement.csv"')
        .send(sink);
    },
  });
}
