/**
 * Kills the server and the receiver of its webhooks, a given number of times each, while members request withdrawals
 * over HTTP. Counts events that never arrived, arrived out of order for their member, or came again without a higher
 * attempt number. Usage: npm run bench -- webhooks [times]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWebhookSecret } from '../apps/server/src/features/webhooks/signature.ts';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { numberArgument } from './src/arguments.ts';
import { openBenchDatabase } from './src/bench-env.ts';
import { startCrowd } from './src/crowd.ts';
import { fillMembers } from './src/members.ts';
import { killServer, startServer, stopServer, until } from './src/server.ts';

const times = numberArgument(0, 20);
const RESPONSES_BETWEEN_KILLS = 50;
const DRAIN_MINUTES = 20;

process.env.WEBHOOK_ADDRESSES = '127.0.0.1';
process.env.WEBHOOK_HTTP = 'yes';
const env = await openBenchDatabase();
const tokens = await fillMembers(env.pool, {
  secrets: env.secrets,
  members: 20,
  fundsMinor: 1_000_000_000_000n,
  settings: { 'withdraw.automaticMax': { BAHT: 0, LAK: 0 }, 'withdraw.oneOpen': false },
});
const [port, receiverPort] = [await freePort(), await freePort()];
const file = join(env.dataDir, 'received');
await env.pool.query(
  `insert into webhook_endpoint (id, url, description, events, state, secret_sealed, created_by, created_at)
   values ('WHBENCH', $1, 'bench', '{withdrawal.requested}', 'ENABLED', $2, 'bench', now())`,
  [`http://127.0.0.1:${receiverPort}/`, env.secrets.encrypt('webhook-secret', newWebhookSecret())],
);
const startReceiver = (): ChildProcess =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, 'src/webhook-receiver.ts'), String(receiverPort), file],
    {
      stdio: 'ignore',
    },
  );

let receiver = startReceiver();
let server = await startServer(env.dataDir, port);
const crowd = startCrowd({ url: () => `http://127.0.0.1:${port}`, tokens, inFlight: 2, amount: 100 });
const { acknowledged } = crowd;

const kills: Record<string, () => Promise<void>> = {
  async server() {
    await killServer(server);
    server = await startServer(env.dataDir, port);
  },
  async receiver() {
    await killServer(receiver);
    receiver = startReceiver();
  },
};
const started = performance.now();
for (let time = 1; time <= times; time++)
  for (const [what, kill] of Object.entries(kills)) {
    const before = acknowledged.length;
    await until(
      () => acknowledged.length >= before + RESPONSES_BETWEEN_KILLS,
      `withdrawals before kill ${time} of the ${what}`,
    );
    await kill();
  }
await crowd.stop();
const loadSeconds = (performance.now() - started) / 1000;

const waiting = async (): Promise<number> =>
  (
    await env.pool.query(
      `select (select count(*) from webhook_event where is_pending)::int
         + (select count(*) from webhook_delivery where state <> 'DELIVERED')::int as waiting`,
    )
  ).rows[0].waiting;
await until(async () => (await waiting()) === 0, 'the last delivery', DRAIN_MINUTES);
const drainSeconds = (performance.now() - started) / 1000 - loadSeconds;

const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const received = lines.map((line) => {
  const [id = '', attempt = '', member = '', withdrawal = ''] = line.split(' ');
  return { id, attempt, member, withdrawal };
});
const { rows: events } = await env.pool.query('select id, subject from webhook_event order by number');
const arrived = new Set(received.map(({ id }) => id));
const places = new Map<string, number>();
for (const [place, { id }] of received.entries()) if (!places.has(id)) places.set(id, place);
const byMember = Map.groupBy(events as { id: string; subject: string }[], ({ subject }) => subject);
const disordered = [...byMember.values()].flatMap((line) =>
  line.filter(({ id }, at) => at > 0 && (places.get(id) ?? 0) < (places.get(line[at - 1]!.id) ?? 0)),
);
const withdrawalIds = new Set(received.map(({ withdrawal }) => withdrawal));
const lost = [
  ...events.filter(({ id }) => !arrived.has(id)).map(({ id }) => id),
  ...acknowledged.filter((id) => !withdrawalIds.has(id)),
];
const unmarked = received.length - new Set(received.map(({ id, attempt }) => `${id} ${attempt}`)).size;

console.log(
  `server and receiver killed ${times} times each in ${loadSeconds.toFixed(0)} s; the last event arrived ${drainSeconds.toFixed(0)} s later`,
);
console.log(
  `${acknowledged.length} withdrawals acknowledged, ${events.length} events, ${received.length - arrived.size} repeats; ${lost.length} lost, ${disordered.length} out of order, ${unmarked} repeats not marked`,
);
await stopServer(server);
await killServer(receiver);
await env.close();
process.exit(lost.length + disordered.length + unmarked === 0 ? 0 : 1);
