/** Assembles the sandbox: the partners' protocols, its pages and the control API. */
import AjvCompiler from '@fastify/ajv-compiler';
import { HOUR_MS } from '@krapao/contract/durations';
import Fastify, { type FastifyInstance } from 'fastify';
import { runConfirm } from './bank/confirmation.ts';
import { feedWire } from './bank/feed.ts';
import { runPayQr, runTransfer } from './bank/payments.ts';
import { runSettlePayout } from './bank/payouts.ts';
import { bankWire } from './bank/wire.ts';
import { controlRoutes, resetEnvironment } from './control/routes.ts';
import { keepAgenda, type TaskRunner } from './environment/agenda.ts';
import { createEnvironment, type Environment } from './environment/environment.ts';
import { setSeed } from './environment/random.ts';
import { keepSaved, loadState } from './environment/snapshot.ts';
import type { TaskKind } from './environment/state.ts';
import { openAgents } from './games/agents.ts';
import { runSettleMatch } from './games/rounds.ts';
import { gameWire } from './games/wire.ts';
import { gameJWire } from './games/wire-j.ts';
import { gatewayWire } from './gateways/wire.ts';
import { giftWire } from './gift/wire.ts';
import { pageRoutes } from './pages/routes.ts';
import { pushWire } from './push/wire.ts';
import type { SandboxOptions } from './settings.ts';
import { slipWire } from './slips/wire.ts';
import { smsBulkWire } from './sms/bulk-wire.ts';
import { runDeliver } from './sms/messages.ts';
import { smsWire } from './sms/wire.ts';

const RUNNERS: Record<TaskKind, TaskRunner> = {
  'settle-payout': runSettlePayout,
  confirm: runConfirm,
  'pay-qr': runPayQr,
  transfer: runTransfer,
  'settle-match': runSettleMatch,
  'deliver-sms': runDeliver,
};

/** Bodies are taken as they are; addresses carry text only, so numbers in them are read from text. */
function makeFastify(): FastifyInstance {
  const compiler = AjvCompiler();
  const common = { removeAdditional: false, useDefaults: false, allErrors: false } as const;
  return Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Callers close idle connections first: one closed here just as a request is sent would fail that request.
    keepAliveTimeout: HOUR_MS,
    bodyLimit: 1_000_000,
    schemaController: {
      compilersFactory: {
        buildValidator: ((schemas: Parameters<typeof compiler>[0]) => {
          const strict = compiler(schemas, { customOptions: { ...common, coerceTypes: false } });
          const lenient = compiler(schemas, { customOptions: { ...common, coerceTypes: true } });
          return (route: { httpPart?: string }) =>
            (route.httpPart === 'body' ? strict : lenient)(route as never);
          // Fastify hands over the whole route where the compiler's own type speaks of a schema.
        }) as unknown as typeof compiler,
      },
    },
  });
}

export interface Sandbox {
  url: string;
  environment: Environment;
  /** Stops listening, ends waits and outgoing calls, saves; safe to call again. */
  stop(): Promise<void>;
}

/** Starts a sandbox and resolves once it listens. Defaults: a free port, this machine only, nothing on disk. */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const {
    port = 0,
    host = '127.0.0.1',
    productUrl = 'http://127.0.0.1:3000',
    publicUrl,
    stateFile = null,
    seed = null,
  } = options;
  const environment = createEnvironment(productUrl);
  const saved = stateFile === null ? null : loadState(stateFile);
  if (saved) environment.state = saved;
  else resetEnvironment(environment, seed);
  openAgents(environment);
  if (saved && seed !== null && seed !== saved.seed) setSeed(environment, seed);

  const app = makeFastify();
  app.get('/healthz', () => ({ ok: true }));
  await app.register(bankWire, { prefix: '/outside/bank-a', environment });
  await app.register(feedWire, { prefix: '/outside/bank-b', environment });
  await app.register(slipWire, { prefix: '/outside/slip', environment });
  await app.register(smsWire, { prefix: '/outside/sms', environment });
  await app.register(smsBulkWire, { prefix: '/outside/sms-bulk', environment });
  await app.register(gameWire, { prefix: '/outside/game-f', environment });
  await app.register(gameJWire, { prefix: '/outside/game-j', environment });
  await app.register(gatewayWire, { prefix: '/outside/gateways', environment });
  await app.register(giftWire, { prefix: '/outside/gift', environment });
  await app.register(pushWire, { prefix: '/outside/push', environment });
  await app.register(controlRoutes, { prefix: '/control', environment });
  await app.register(pageRoutes, { environment });

  const endSaving = stateFile === null ? () => undefined : keepSaved(environment, stateFile);
  const url = (await app.listen({ port, host })).replace('//0.0.0.0:', '//127.0.0.1:');
  environment.publicUrl = publicUrl ?? url;
  const endAgenda = keepAgenda(environment, RUNNERS);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      endAgenda();
      environment.stopping.abort();
      await app.close();
      endSaving();
    })();
    return stopped;
  };
  return { url, environment, stop };
}
