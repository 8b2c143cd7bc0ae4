import type { FastifyInstance } from 'fastify';
import { mediaRoute } from './features/content/files.ts';
import {
  declareOperatorCalls,
  declareOperatorUploads,
  type OperatorCallsDeps,
  operatorJobs,
} from './operator-calls.ts';
import type { Budgets } from './platform/budget.ts';
import type { Config } from './platform/config.ts';
import type { Pool } from './platform/database/db.ts';
import { readsOf, type Standby } from './platform/database/standby.ts';
import { fileRoute } from './platform/files.ts';
import { serveConsole } from './platform/http/console-pages.ts';
import {
  consoleAddresses,
  operatorDeclarer,
  operatorDoor,
  refuseOtherAddresses,
} from './platform/http/declare-operator.ts';
import { acceptForms } from './platform/http/form.ts';
import { measureCalls, probeRoutes } from './platform/http/health.ts';
import { documentCalls } from './platform/http/openapi.ts';
import { createHttpServer, respondMissing } from './platform/http/server.ts';
import type { JobSet } from './platform/jobs.ts';
import { consoleFeedRoute, openConsoleFeed } from './platform/live/console-feed.ts';
import type { Sockets } from './platform/live/sockets.ts';
import type { Metrics } from './platform/metrics.ts';
import { createOperatorSessions } from './platform/operators.ts';
import type { Readiness } from './platform/readiness.ts';
import type { SecurityLog } from './platform/security-log.ts';

export interface ConsoleOptions {
  config: Config;
  backgroundPool: Pool;
  /** Answers reads of lists, figures and exports. */
  standby?: Standby | undefined;
  /** Folder of the built console. Without it only the API is served. */
  consolePages?: string | undefined;
  /** Folder of the built member app, whose pictures the console shows. */
  pages?: string | undefined;
}

export interface ConsoleSite {
  http: FastifyInstance;
  jobs: JobSet[];
  close(): Promise<void>;
}

/**
 * Creates the server of the console's origin: the operator API at /api/operator, its document at /docs, the built
 * console everywhere else. The member app's origin serves none of this. Of the member API, this origin serves only
 * chat files, to agents.
 */
export async function createConsole(
  options: ConsoleOptions,
  deps: Omit<OperatorCallsDeps, 'operatorSessions' | 'backgroundPool' | 'reads'> & {
    readiness: Readiness;
    sockets: Pick<Sockets, 'onMember'>;
    security: SecurityLog;
    budgets: Budgets;
    metrics: Metrics;
  },
): Promise<ConsoleSite> {
  // Other origins may neither frame the console nor call it.
  const config = { ...options.config, CORS_ORIGINS: '', IFRAME: '', API_BASE: '' };
  const { operatorCalls, operatorIncompleteBodies, consoleStreams } = deps.budgets;
  const http = await createHttpServer(config, {
    security: deps.security,
    budgets: { calls: operatorCalls, bodies: operatorIncompleteBodies },
  });
  const isAllowed = consoleAddresses(config);
  // First: plugins that are registered later, such as the pages, inherit it.
  refuseOtherAddresses(http, isAllowed);
  const operatorSessions = createOperatorSessions(deps, () => deps.clock.now(), deps.settings);
  const reads = readsOf(options.standby, deps.pool);
  const all = { ...deps, reads, config, operatorSessions, backgroundPool: options.backgroundPool };
  const door = operatorDoor(all);
  await documentCalls(http, 'operator');
  await http.register(async (scope) => {
    declareOperatorCalls(operatorDeclarer(scope, door), all, { app: scope, door });
  });
  await http.register(async (scope) => {
    await acceptForms(scope);
    declareOperatorUploads(operatorDeclarer(scope, door), all);
  });
  mediaRoute(http, deps.pool);
  fileRoute(http, deps.files, (request) => door(request, 'operator', 'chat.read'));
  const feed = openConsoleFeed(options.backgroundPool);
  deps.sockets.onMember(feed.memberChanged);
  consoleFeedRoute(http, { feed, door, streams: consoleStreams });
  probeRoutes(http, { ...deps, isHearing: feed.isHearing, mayReadChecks: isAllowed });
  measureCalls(http, deps.metrics);
  if (options.consolePages) await serveConsole(http, options.consolePages, options.pages);
  else http.setNotFoundHandler((_request, reply) => respondMissing(reply));
  return {
    http,
    jobs: operatorJobs({ ...all, pool: options.backgroundPool }),
    async close() {
      await feed.close();
      await http.close();
    },
  };
}
