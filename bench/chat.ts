/**
 * Customers and agents talk while servers and database are killed: members and guests send numbered messages over HTTP
 * to two servers and listen on a socket each, agents answer through the operators' API. Whoever gets no answer sends
 * again under the same id; panels fetch what they missed when they connect again. First in calm, then with the kills.
 * Prints what was lost, doubled or out of order on either side, and how fast it went beside a bare socket.io echo.
 * Usage: npm run bench -- chat [messages] [kills]
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { io } from 'socket.io-client';
import { fillMembers } from './src/members.ts';
import { freePort, killDatabase, killServer, pause, startServer, stopServer, until } from './src/server.ts';
import { agentWith, openTalker, type Ports, type Talker } from './src/talker.ts';
import { openBenchDatabase, percentile } from './src/town.ts';

const messages = Number(process.argv[2] ?? 3000);
const kills = Number(process.argv[3] ?? 4);
/** Fewer than a customer may say in a minute, retries included. */
const EACH = 24;
const talkerCount = Math.max(2, Math.ceil(messages / 2 / EACH));

const town = await openBenchDatabase();

async function asOwner(sql: string, values: unknown[]): Promise<void> {
  const client = new pg.Client(town.database.owner);
  await client.connect();
  await client.query(sql, values);
  await client.end();
}

/** An agent with an open session; answers its cookie. */
async function signAgentIn(): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await asOwner(
    `with agent as (insert into operator (name, role, status, created_at) values ('bench', 'support', 'ACTIVE', now()) returning id)
     insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address)
       select $1, 'bench', id, now(), now(), now() + interval '1 day', '127.0.0.1' from agent`,
    [createHash('sha256').update(token).digest()],
  );
  return `operator-session=${token}`;
}

const tokens = await fillMembers(town.pool, {
  members: Math.ceil(talkerCount / 2),
  fundsMinor: 100n,
  settings: {},
});
const ports: Ports[] = [];
for (let one = 0; one < 2; one++) ports.push({ member: await freePort(), console: await freePort() });
const start = (one: number) =>
  startServer(town.dataDir, ports[one]!.member, { consolePort: ports[one]!.console });
const servers = [await start(0), await start(1)];
const agent = agentWith(await signAgentIn(), ports);
const talkers = await Promise.all(
  Array.from({ length: talkerCount }, (_, at) => {
    const member = at % 2 === 0 ? { id: String(200_001 + at / 2), token: tokens[at / 2]! } : null;
    return openTalker(at, member, ports);
  }),
);

let acknowledged = 0;
/** No more than so many are said: the rest waits for the next kill. */
let allowed = Number.POSITIVE_INFINITY;
const sentAt = new Map<string, number>();
const answeredMs: number[] = [];

async function sendInTurn(ids: readonly string[], send: (id: string) => Promise<unknown>): Promise<void> {
  for (const id of ids) {
    while (acknowledged >= allowed) await pause(5);
    const at = performance.now();
    sentAt.set(id, at);
    await send(id);
    answeredMs.push(performance.now() - at);
    acknowledged++;
  }
}

const idsOf = (side: 'customer' | 'agent', { at }: Talker, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `${side}:${at}:${from + n}`);

async function findConversation(talker: Talker, messageId: string): Promise<void> {
  const sql = 'select conversation_id::text as id from chat_message where id = $1';
  talker.conversation = (await town.pool.query<{ id: string }>(sql, [messageId])).rows[0]!.id;
}

/** Both sides of every talk say their messages from one number to another, each in turn, all talks at once. */
async function talk(from: number, to: number): Promise<void> {
  await Promise.all(
    talkers.flatMap((talker) => [
      sendInTurn(idsOf('customer', talker, from, to), talker.say),
      sendInTurn(idsOf('agent', talker, from, to), (id) =>
        agent.answer(talker.conversation, id, talker.at + Number(id.split(':')[2])),
      ),
    ]),
  );
}

const KILLS = [
  async () => {
    await killServer(servers[0]!);
    servers[0] = await start(0);
  },
  () => killDatabase(town.dataDir),
  async () => {
    await killServer(servers[1]!);
    servers[1] = await start(1);
  },
  () => killDatabase(town.dataDir),
];

/** Kills in turn, each in the middle of its share of the messages. */
async function killAll(total: number): Promise<void> {
  const before = acknowledged;
  for (let kill = 0; kill < kills; kill++) {
    const share = total / kills;
    allowed = before + share * (kill + 1);
    await until(() => acknowledged >= before + share * (kill + 0.5), `messages before kill ${kill + 1}`);
    await KILLS[kill % KILLS.length]!();
  }
  allowed = Number.POSITIVE_INFINITY;
}

/** Times of a word to a bare socket.io server and back, over as many sockets, each with one word on its way. */
async function echo(words: number): Promise<{ rate: number; times: number[] }> {
  const server = new Worker(new URL('./src/echo.ts', import.meta.url));
  const [port] = await once(server, 'message');
  const times: number[] = [];
  const sockets = await Promise.all(
    talkers.map(async () => {
      const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true });
      await new Promise((resume) => socket.once('connect', () => resume(null)));
      return socket;
    }),
  );
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (let word = 0; word < words; word++) {
        const at = performance.now();
        await socket.emitWithAck('word', `word ${word}`);
        times.push(performance.now() - at);
      }
    }),
  );
  const rate = times.length / ((performance.now() - started) / 1000);
  for (const socket of sockets) socket.disconnect();
  await server.terminate();
  return { rate, times };
}

const both = (times: readonly number[]): string =>
  `median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

interface Verdict {
  lost: number;
  doubled: number;
  disordered: number;
}

/** Holds what one side sees of a talk, in its order, against what was acknowledged. */
function judgeSide(seen: readonly string[], talker: Talker, verdict: Verdict): void {
  for (const side of ['customer', 'agent'] as const) {
    const wanted = idsOf(side, talker, 0, EACH);
    const there = seen.filter((id) => id.startsWith(`${side}:`));
    const once = [...new Set(there)];
    verdict.lost += wanted.filter((id) => !once.includes(id)).length;
    verdict.doubled += there.length - once.length;
    verdict.disordered += once.filter((id, at) => at > 0 && numberOf(id) < numberOf(once[at - 1]!)).length;
  }
}

const numberOf = (id: string): number => Number(id.split(':')[2]);
/** What a panel shows, oldest first. */
const panelOf = ({ shown }: Talker): string[] =>
  [...shown].toSorted(([a], [b]) => Number(BigInt(a) - BigInt(b))).map(([, id]) => id);

// The first word of each talk, so that agents have somewhere to answer.
await Promise.all(
  talkers.map(async (talker) => {
    const first = await talker.say(`customer:${talker.at}:0`);
    await findConversation(talker, first.body._id);
    await agent.answer(talker.conversation, `agent:${talker.at}:0`, talker.at);
  }),
);
const half = EACH / 2;
const started = performance.now();
await talk(1, half);
const seconds = (performance.now() - started) / 1000;
const calm = acknowledged;
const isHeard = () => talkers.every(({ heardAt }) => heardAt.size >= 2 * half);
await until(isHeard, 'what was said in calm');
const heardMs = talkers.flatMap(({ heardAt }) =>
  [...heardAt].filter(([id]) => sentAt.has(id)).map(([id, at]) => at - sentAt.get(id)!),
);
const bare = await echo(50);
console.log(
  `${talkerCount} sockets, in calm: ${calm} messages, ${(calm / seconds).toFixed(0)}/s; answered ${both(answeredMs)}; heard on the customer's socket ${both(heardMs)}`,
);
console.log(`a bare socket.io echo over as many sockets: ${bare.rate.toFixed(0)}/s, ${both(bare.times)}`);

await Promise.all([talk(half, EACH), killAll(talkers.length * half * 2)]);
console.log(`${kills} kills; ${acknowledged + 2 * talkers.length} messages acknowledged in all`);
const isWhole = () => talkers.every(({ shown }) => shown.size >= 2 * EACH);
// Panels are whole by themselves, or something was lost; the count below says what.
await until(isWhole, 'panels to be whole').catch((error: Error) => console.log(error.message));

const sides = {
  customers: { lost: 0, doubled: 0, disordered: 0 },
  agents: { lost: 0, doubled: 0, disordered: 0 },
};
for (const talker of talkers) {
  judgeSide(panelOf(talker), talker, sides.customers);
  sides.customers.disordered += talker.misheard;
  judgeSide(await agent.read(talker.conversation), talker, sides.agents);
  talker.close();
}
for (const [side, { lost, doubled, disordered }] of Object.entries(sides))
  console.log(`${side}' side: ${lost} lost, ${doubled} doubled, ${disordered} out of order`);
await Promise.all(servers.map(stopServer));
await town.close();
const wrong = Object.values(sides).flatMap((verdict) => Object.values(verdict));
process.exit(wrong.every((count) => count === 0) ? 0 : 1);
