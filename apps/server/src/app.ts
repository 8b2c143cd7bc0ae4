import { HOUR_MS } from '@krapao/contract/durations';
import type { FastifyInstance } from 'fastify';
import { declareCalls, declareUploads } from './calls.ts';
import { createConsole } from './console.ts';
import { bonusJobs } from './features/bonuses/expiry.ts';
import { type ChatDeps, chatJobs } from './features/chat/chat.ts';
import { conversationRooms } from './features/chat/live.ts';
import { coinJobs } from './features/coins/coins.ts';
import { mediaRoute } from './features/content/files.ts';
import { feedJobs, watchFeeds } from './features/deposits/feed/feed.ts';
import { giftJobs } from './features/deposits/gifts/settle.ts';
import { findQrAccount } from './features/deposits/matching/queries.ts';
import { confirmationRoutes, depositJobs } from './features/deposits/qr/confirmations.ts';
import { qrWarnings } from './features/deposits/qr/gone-gateways.ts';
import { findStaticQr } from './features/deposits/qr/queries.ts';
import { slipJobs } from './features/deposits/slips/check.ts';
import { readSlots, sweepPlayed } from './features/games/read.ts';
import { transferJobs, transferWatchJobs } from './features/games/resolve.ts';
import { inviteJobs } from './features/invites/play.ts';
import { sweepOffers } from './features/limits/read.ts';
import { notificationJobs } from './features/notifications/deliver.ts';
import { preparePush } from './features/notifications/push.ts';
import { creditJobs } from './features/overview/partner-credit.ts';
import { countPartnerCalls, partnerJobs } from './features/overview/partner-health.ts';
import { ownExport } from './features/own-data/export.ts';
import { refundJobs } from './features/refunds/refunds.ts';
import { sweepCodes } from './features/registration/read.ts';
import { sweepSessions } from './features/sessions/read.ts';
import { statementExport } from './features/statement/export.ts';
import { measureWebhooks, webhookJobs } from './features/webhooks/deliveries.ts';
import { startWebhookSender } from './features/webhooks/sender.ts';
import { decisionJobs } from './features/withdrawals/decisions.ts';
import { payoutJobs } from './features/withdrawals/payout.ts';
import { createLedger, createSystemAccounts, forgetSavedResponses } from './ledger/index.ts';
import { bankInquiry, LAO_QR_BANKS, laoQr, requestedInTurn } from './outside/index.ts';
import { mailSender, partners, pushSender, webhookSender } from './partners.ts';
import { type OpenAlert, openAlert } from './platform/alerts.ts';
import { type Budgets, createBudgets } from './platform/budget.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Pool } from './platform/database/db.ts';
import { readsOf, type Standby } from './platform/database/standby.ts';
import { createErrorReferences, sweepErrorReferences } from './platform/error-references.ts';
import { chosenStore } from './platform/file-stores/open.ts';
import type { FileStore } from './platform/file-stores/store.ts';
import { fileJobs } from './platform/file-stores/sweep.ts';
import { createFiles, fileRoute } from './platform/files.ts';
import { forEachRow } from './platform/for-each.ts';
import { documentAdapters } from './platform/http/adapters-document.ts';
import { addressList, createCallerOf, proxiesOf } from './platform/http/caller.ts';
import { callDeclarer, refuseBlocked } from './platform/http/declare.ts';
import { acceptForms } from './platform/http/form.ts';
import { healthRoutes } from './platform/http/health.ts';
import { documentCalls } from './platform/http/openapi.ts';
import { inlineScripts, servePages } from './platform/http/pages.ts';
import { createHttpServer, respondMissing } from './platform/http/server.ts';
import { createUploads } from './platform/http/uploads.ts';
import { createImages, GUEST_IMAGES } from './platform/images/images.ts';
import { type JobSet, startJobs, sweepFailedJobs } from './platform/jobs.ts';
import { databaseLimits, redisLimits } from './platform/limits.ts';
import { startRelay } from './platform/live/outbox.ts';
import { openSockets } from './platform/live/sockets.ts';
import { createMetrics, type MetricSources, type Metrics } from './platform/metrics.ts';
import { registerPasswordMetrics } from './platform/password-metrics.ts';
import { inPortions } from './platform/portions.ts';
import type { ProcessRoles } from './platform/process-roles.ts';
import { createReadiness } from './platform/readiness.ts';
import type { Redis } from './platform/redis.ts';
import { createSecrets, type Secrets } from './platform/secrets.ts';
import { createSecurityLog, type SecurityLog } from './platform/security-log.ts';
import { createSessions } from './platform/sessions.ts';
import { openSettings, type Settings } from './platform/settings.ts';
import { sweepWindows } from './platform/throttle.ts';
import { startTracing } from './platform/tracing.ts';

export interface AppOptions {
  config: Config;
  clock: Clock;
  /** Connection pools of the application role: one for member calls, one for jobs, payouts and live events. */
  pool: Pool;
  backgroundPool: Pool;
  /**
   * Connections reserved for operator calls and the ledger, so that member calls cannot exhaust them. Default: the
   * pool of member calls.
   */
  operatorPool?: Pool;
  ledgerPool?: Pool;
  /** The standby at DATABASE_READ_URL. Without it the pools read what a standby may answer. */
  standby?: Standby | undefined;
  /** What this process does; what ROLES says by default. Without `worker`, another process runs the jobs. */
  roles?: ProcessRoles;
  /** Folder of the built member app. Without it only the API is served. */
  pages?: string | undefined;
  /** Folder of the built console. Without it only the operator API is served. */
  consolePages?: string | undefined;
}

export type App = Awaited<ReturnType<typeof createApp>>;

const SAVED_RESPONSE_HOURS = 24;
/** Rows that housekeeping deletes by one statement. */
const SWEEP_PORTION = 5_000;

/** Opens the Redis that REDIS_URL names; null without one, and then its client is not loaded. */
async function redisOf(config: Config, secrets: Secrets, log: FastifyInstance['log']): Promise<Redis | null> {
  if (!config.REDIS_URL) return null;
  const { openRedis } = await import('./platform/redis.ts');
  const installation = secrets.fingerprint('redis', '').toString('hex').slice(0, 12);
  return openRedis(config.REDIS_URL, installation, (error) =>
    error ? log.warn({ err: error }, 'redis away') : log.info('redis back'),
  );
}

/** Opens the services beside the database: the file store, and Redis where configured. */
async function openDependencies({ config, pool }: AppOptions, secrets: Secrets, log: FastifyInstance['log']) {
  const store = await chosenStore(config, (error) => log.warn({ err: error }, 'file store away'));
  const redis = await redisOf(config, secrets, log);
  const inDatabase = databaseLimits(pool);
  return {
    store,
    redis,
    limits: redis ? redisLimits(redis, inDatabase) : inDatabase,
    dependencies: { files: store.check, ...(redis && { redis: redis.check }) },
  };
}

/** Opens alerts, each of which the log tells too. */
function alertsTo(pool: Pool, now: () => Date, log: FastifyInstance['log']): OpenAlert {
  return async (kind, subject, detail, open) => {
    const isOpened = await (open ? open(now()) : openAlert(pool, { kind, subject, detail }, now()));
    if (isOpened) log.warn({ kind, subject }, 'alert opened');
  };
}

/** Creates the server of the member app, and what its answers need: limits, the security log, error references. */
async function createMemberPort({ config, clock, backgroundPool, pages }: AppOptions) {
  const budgets = createBudgets(config);
  const security = createSecurityLog(config.SECRET);
  const references = createErrorReferences(
    backgroundPool,
    () => clock.now(),
    () => http.log,
  );
  const http: FastifyInstance = await createHttpServer(config, {
    upgrades: true,
    security,
    references,
    scripts: pages ? inlineScripts(pages) : [],
    budgets: { calls: budgets.calls, bodies: budgets.incompleteBodies, hooks: budgets.hookCalls },
  });
  return { http, budgets, security, references };
}

type MemberPort = Awaited<ReturnType<typeof createMemberPort>>;

/** Starts the shared services that every feature depends on. */
async function createCore(options: AppOptions, { http, budgets, security }: MemberPort) {
  const { config, clock, pool, backgroundPool } = options;
  const settings = await openSettings(backgroundPool);
  const now = () => clock.now();
  let wake: () => void = () => undefined;
  const ledger = createLedger({ pool: options.ledgerPool ?? pool, now, onCommit: () => wake() });
  const sessions = createSessions(pool, settings, now);
  const origins = config.CORS_ORIGINS.split(/\s+/).filter(Boolean);
  const secrets = createSecrets(config.SECRET);
  const { store, redis, limits, dependencies } = await openDependencies(options, secrets, http.log);
  const files = createFiles({ store, secrets, clock, settings });
  const conversations = conversationRooms({ pool: backgroundPool, files });
  const callerOf = createCallerOf(proxiesOf(config.TRUSTED_PROXIES));
  const isBlocked = addressList('BLOCKED_ADDRESSES', config.BLOCKED_ADDRESSES).has;
  const needsStandby = config.DATABASE_STANDBY === 'required';
  const sockets = openSockets(http.server, {
    pool: backgroundPool,
    redis,
    budget: budgets.sockets,
    log: http.log,
    sessions,
    origins,
    conversations,
    callerOf,
    isBlocked,
    rereadSettings: settings.reread,
  });
  const relay = startRelay(backgroundPool, (error) => http.log.error({ err: error }, 'outbox'));
  wake = relay.wake;
  const alert = alertsTo(pool, now, http.log);
  const outside = partners(config, settings);
  const { paymentInquiry } = outside;
  const inquiry = bankInquiry(paymentInquiry, () => findQrAccount(pool, paymentInquiry.code));
  const lao = LAO_QR_BANKS.map((code) => laoQr(code, () => findStaticQr(pool, code, now())));
  const deps = {
    config,
    clock,
    pool,
    reads: readsOf(options.standby, pool),
    backgroundReads: readsOf(options.standby, backgroundPool),
    settings,
    ledger,
    sessions,
    isBlocked,
    sockets,
    security,
    budgets,
    alert,
    systemAccount: createSystemAccounts(pool, now),
    secrets,
    files,
    store,
    redis,
    limits,
    readiness: createReadiness({ pool, backgroundPool, ledger, needsStandby, dependencies }),
    images: createImages(),
    guestImages: createImages(GUEST_IMAGES),
    uploads: createUploads({ store, settings, budgets }),
    ...outside,
    push: pushSender(config, now),
    webhooks: webhookSender(config),
    mailer: mailSender(config),
    slips: requestedInTurn(outside.slips, inquiry),
    notify: sockets.notify,
    readSlots: (member: Parameters<typeof readSlots>[1]) =>
      readSlots({ pool, providerOf: outside.providerOf }, member),
    qrMakerOf: (code: string) => [...outside.qrMakers, ...lao].find((offer) => offer.code === code),
  };
  await preparePush(deps);
  const metrics = measure(deps, options);
  measureWebhooks(metrics.registry, backgroundPool, now);
  return { deps, metrics, relay, origins };
}

function measure(
  deps: Pick<MetricSources, 'ledger' | 'readiness'> &
    Pick<ChatDeps, 'images' | 'guestImages'> & {
      store: FileStore;
      budgets: Budgets;
      security: SecurityLog;
    },
  { pool, backgroundPool, operatorPool, ledgerPool, standby }: AppOptions,
): Metrics {
  const metrics = createMetrics({
    ledger: deps.ledger,
    pools: {
      calls: pool,
      background: backgroundPool,
      ...(operatorPool && { operators: operatorPool }),
      ...(ledgerPool && { ledger: ledgerPool }),
    },
    budgets: [...Object.values(deps.budgets), deps.images.budget, deps.guestImages.budget],
    diskFree: deps.store.freeBytes,
    readiness: deps.readiness,
  });
  registerPasswordMetrics(metrics.registry);
  standby?.register(metrics.registry);
  deps.security.register(metrics.registry);
  return metrics;
}

/** The job that deletes what is past its time. A sweep that fails does not stop those after it; the job then fails with its error. */
function housekeepingJobs(pool: Pool, settings: Settings, now: () => Date): JobSet {
  const inTurn = (sweep: (count: number) => Promise<number>) => () => inPortions(SWEEP_PORTION, sweep);
  const savedUntil = () => new Date(now().getTime() - SAVED_RESPONSE_HOURS * HOUR_MS);
  const sweeps: (() => Promise<void>)[] = [
    () => sweepFailedJobs(pool, SWEEP_PORTION),
    inTurn((count) => forgetSavedResponses(pool, savedUntil(), count)),
    inTurn((count) => sweepWindows(pool, now(), count)),
    inTurn((count) => sweepErrorReferences(pool, now(), count)),
    inTurn((count) => sweepPlayed(pool, now(), count)),
    inTurn((count) => sweepOffers(pool, now(), count)),
    () => sweepCodes({ pool, settings }, now()),
    () => sweepSessions(pool, now()),
  ];
  return {
    tasks: {
      housekeeping: () => forEachRow(sweeps, (sweep) => sweep()),
    },
    everyMinute: ['housekeeping'],
  };
}

/** Lists the background jobs of member features. */
function memberJobs(deps: Awaited<ReturnType<typeof createCore>>['deps']): JobSet[] {
  return [
    depositJobs(deps, deps.qrMakers),
    giftJobs(deps),
    ...(deps.feed ? [feedJobs(deps, deps.feed)] : []),
    slipJobs(deps),
    transferJobs(deps),
    transferWatchJobs(deps),
    bonusJobs(deps),
    chatJobs(deps),
    inviteJobs(deps),
    refundJobs(deps),
    coinJobs(deps),
    notificationJobs(deps),
    webhookJobs(deps),
    payoutJobs(deps),
    decisionJobs(deps),
    fileJobs(deps),
    housekeepingJobs(deps.pool, deps.settings, () => deps.clock.now()),
    partnerJobs(deps),
    creditJobs(deps),
  ];
}

/** Starts what a worker does: jobs, the reader of bank feeds and the sender of webhooks. */
async function startBackground(
  deps: Awaited<ReturnType<typeof createCore>>['deps'],
  { backgroundPool }: AppOptions,
  { jobSets, log }: { jobSets: JobSet[]; log: FastifyInstance['log'] },
): Promise<{ stop(): Promise<void> }> {
  for (const warning of await qrWarnings({ ...deps, pool: backgroundPool }, deps.qrMakers))
    log.warn({ event: 'configuration' }, warning);
  const jobs = await startJobs(backgroundPool, jobSets, (error, task) =>
    log.error({ err: error, task }, 'job failed'),
  );
  const watch = deps.feed && watchFeeds(deps, deps.feed, (error) => log.error({ err: error }, 'feed'));
  const sender = startWebhookSender({ ...deps, pool: backgroundPool }, (error) =>
    log.error({ err: error }, 'webhooks'),
  );
  return {
    async stop() {
      await watch?.stop();
      await jobs.stop();
      await sender.stop();
    },
  };
}

/** Creates a server that answers health and metrics, and to everything else that it is not there. */
async function createProbes(
  config: Config,
  security: SecurityLog,
  deps: Parameters<typeof healthRoutes>[1],
): Promise<FastifyInstance> {
  const http = await createHttpServer(config, { security });
  healthRoutes(http, deps);
  http.setNotFoundHandler((_request, reply) => respondMissing(reply));
  return http;
}

/** Assembles the product without listening yet. `close` stops everything it started. */
export async function createApp(options: AppOptions) {
  const { config, clock, pool, roles = config.roles } = options;
  const tracing = await startTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT);
  const port = await createMemberPort(options);
  const { http, security, references } = port;
  const { deps, metrics, relay, origins } = await createCore(options, port);
  const { ledger, settings, sockets, qrMakers } = deps;

  await documentCalls(http);
  documentAdapters(http);
  await http.register(async (scope) => {
    declareCalls(callDeclarer(scope, deps, origins), deps);
  });
  await http.register(async (scope) => {
    await acceptForms(scope);
    declareUploads(callDeclarer(scope, deps, origins), deps);
  });
  fileRoute(http, deps.files, refuseBlocked(deps));
  mediaRoute(http, pool, refuseBlocked(deps));
  statementExport(http, deps);
  ownExport(http, { ...deps, backgroundPool: options.backgroundPool });
  confirmationRoutes(http, deps, qrMakers);
  const health = { ...deps, metrics, isHearing: sockets.isHearing };
  healthRoutes(http, health);
  const probes = roles.has('api') ? null : await createProbes(config, security, health);
  if (options.pages) await servePages(http, options.pages, config);
  else http.setNotFoundHandler((_request, reply) => respondMissing(reply));

  const operators = await createConsole(options, { ...deps, metrics, pool: options.operatorPool ?? pool });
  // Jobs have their own connections, so member calls never delay a payout.
  const jobSets = [...operators.jobs, ...memberJobs({ ...deps, pool: options.backgroundPool })];
  const background = roles.has('worker')
    ? await startBackground(deps, options, { jobSets, log: http.log })
    : null;
  const partnerCounts = countPartnerCalls({ config, clock, pool: options.backgroundPool }, (error) =>
    http.log.error({ err: error }, 'partner counts'),
  );

  return {
    /** The server of the member app; without the role `api` one that answers health and metrics alone. */
    http: probes ?? http,
    /** The server of the console's origin. */
    consoleHttp: operators.http,
    deps,
    /** Writes the counts of partner calls at once. */
    flushPartnerCounts: partnerCounts.flush,
    /** Runs one job immediately, as the scheduler would. */
    async runJob(name: string, payload: unknown = {}): Promise<void> {
      const task = jobSets.map((set) => set.tasks[name]).find(Boolean);
      if (!task) throw new Error(`no job ${name}`);
      await task(payload);
    },
    /**
     * Shuts down gracefully: drains requests, disconnects sockets, releases resources. The caller closes the pools.
     */
    async close(): Promise<void> {
      // All at once: each waits for connections that another holds, and a job for a partner that is silent may take longer
      // than a process has to end; calls are answered meanwhile.
      await Promise.all([
        background?.stop(),
        operators.close(),
        sockets.close(),
        http.close(),
        probes?.close(),
      ]);
      await partnerCounts.stop();
      await references.close();
      await Promise.all([deps.images.close(), deps.guestImages.close()]);
      await ledger.close();
      await relay.stop();
      await settings.stop();
      deps.store.close();
      deps.redis?.close();
      clock.stop();
      await tracing.stop();
    },
  };
}
