/**
 * Measures chat while servers and database are killed. Members and guests send numbered messages over HTTP to two
 * servers and listen on a socket each; agents reply through the operator API. A message without a response is sent
 * again under the same id; panels read missed messages when they reconnect. Three phases: one message at a time, all
 * at once, all at once with kills. Prints messages lost, doubled or out of order on either side, and rates beside a
 * bare socket.io echo. Usage: npm run bench -- chat [--messages 3000] [--sockets 126] [--kills 4]
 */
import { parseArgs } from 'node:util';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { signAgentIn } from './src/agent-session.ts';
import { openBenchDatabase, percentile } from './src/bench-env.ts';
import { agentWith, type ChatClient, openChatClient, type Ports, panelOf } from './src/chat-client.ts';
import { idsOf, judgeSide } from './src/conversation-verdict.ts';
import { timeEcho } from './src/echo-times.ts';
import { fillMembers } from './src/members.ts';
import { createSemaphore } from './src/semaphore.ts';
import { killDatabase, killServer, pause, startServer, stopServer, until } from './src/server.ts';

const number = (fallback: number) => ({ type: 'string', default: String(fallback) }) as const;
const { values } = parseArgs({
  options: { messages: number(3000), sockets: number(126), kills: number(4) },
});
const kills = Number(values.kills);
const chatClientCount = Math.max(2, Number(values.sockets));
/** What each side of a conversation says. */
const each = Math.max(4, Math.ceil(Number(values.messages) / 2 / chatClientCount));
/** Messages of the phase without kills: below a customer's limit per minute. */
const inCalm = Math.min(12, Math.floor(each / 2));
/** A customer above the limit per minute would wait and delay others. */
const CUSTOMER_EVERY_MS = 2000;
const IN_FLIGHT = 64;
const ONE_BY_ONE = 100;

const env = await openBenchDatabase();

const tokens = await fillMembers(env.pool, {
  secrets: env.secrets,
  members: Math.ceil(chatClientCount / 2),
  fundsMinor: 100n,
  settings: {},
});
const ports: Ports[] = [];
for (let one = 0; one < 2; one++) ports.push({ member: await freePort(), console: await freePort() });
const start = (one: number) =>
  startServer(env.dataDir, ports[one]!.member, { consolePort: ports[one]!.console });
const servers = [await start(0), await start(1)];
const agent = agentWith(await signAgentIn(env.database.owner), ports);
const semaphore = createSemaphore(IN_FLIGHT);
const talkers = await Promise.all(
  Array.from({ length: chatClientCount }, (_, at) => {
    const member = at % 2 === 0 ? { id: String(200_001 + at / 2), token: tokens[at / 2]! } : null;
    return semaphore(() => openChatClient(at, member, ports));
  }),
);

let acknowledged = 0;
/** The most messages before the next kill. */
let allowed = Number.POSITIVE_INFINITY;
const sentAt = new Map<string, number>();
const respondedMs = new Map<string, number>();

async function sendInTurn(
  ids: readonly string[],
  send: (id: string) => Promise<unknown>,
  everyMs = 0,
): Promise<void> {
  for (const [n, id] of ids.entries()) {
    if (n > 0) await pause(everyMs);
    while (acknowledged >= allowed) await pause(5);
    await semaphore(async () => {
      const at = performance.now();
      sentAt.set(id, at);
      await send(id);
      respondedMs.set(id, performance.now() - at);
    });
    acknowledged++;
  }
}

/**
 * Sends the messages of a range of numbers in all conversations at once, both sides in turn, with a pause between two
 * messages of a customer.
 */
async function conversation(from: number, to: number, everyMs = 0): Promise<void> {
  await Promise.all(
    talkers.flatMap((chatClient) => [
      sendInTurn(idsOf('customer', chatClient.at, from, to), chatClient.say, everyMs),
      sendInTurn(idsOf('agent', chatClient.at, from, to), (id) =>
        agent.response(chatClient.conversation, id, chatClient.at + Number(id.split(':')[2])),
      ),
    ]),
  );
}

/** Sends the first message of a conversation and the agent's reply. */
async function begin(chatClient: ChatClient): Promise<void> {
  await sendInTurn(idsOf('customer', chatClient.at, 0, 1), chatClient.say);
  const sql = 'select conversation_id::text as id from chat_message where client_id = $1';
  chatClient.conversation = (await env.pool.query(sql, [`customer:${chatClient.at}:0`])).rows[0]!.id;
  await sendInTurn(idsOf('agent', chatClient.at, 0, 1), (id) =>
    agent.response(chatClient.conversation, id, chatClient.at),
  );
}

const KILLS = [
  async () => {
    await killServer(servers[0]!);
    servers[0] = await start(0);
  },
  () => killDatabase(env.dataDir),
  async () => {
    await killServer(servers[1]!);
    servers[1] = await start(1);
  },
  () => killDatabase(env.dataDir),
];

/** Kills in turn, each in the middle of its share of the messages. */
async function killAll(total: number): Promise<void> {
  const before = acknowledged;
  for (let kill = 0; kill < kills; kill++) {
    const share = total / kills;
    allowed = before + share * (kill + 1);
    const isAmidst = () => acknowledged >= before + share * (kill + 0.5);
    // A customer interrupted by a kill may have reached the limit per minute.
    await until(isAmidst, `messages before kill ${kill + 1}`, 3);
    await KILLS[kill % KILLS.length]!();
  }
  allowed = Number.POSITIVE_INFINITY;
}

const both = (times: readonly number[]): string =>
  `median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

/** Prints response times of messages and the time until the customer's socket received them. */
function report(what: string, wanted: (id: string) => boolean, seconds: number): void {
  const answered = [...respondedMs].filter(([id]) => wanted(id)).map(([, ms]) => ms);
  const received = talkers.flatMap(({ receivedAt }) =>
    [...receivedAt].filter(([id]) => wanted(id) && sentAt.has(id)).map(([id, at]) => at - sentAt.get(id)!),
  );
  console.log(
    `${what}: ${answered.length} messages, ${(answered.length / seconds).toFixed(0)}/s; answered ${both(answered)}; on the customer's socket ${both(received)}`,
  );
}

async function inSeconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

const isReceived = (messages: number) => () =>
  talkers
    .slice(0, messages > 1 ? talkers.length : ONE_BY_ONE)
    .every(({ receivedAt }) => receivedAt.size >= 2 * messages);

const alone = await inSeconds(async () => {
  for (const chatClient of talkers.slice(0, ONE_BY_ONE)) await begin(chatClient);
});
await until(isReceived(1), 'the first messages');
report('one message at a time', () => true, alone);
await Promise.all(talkers.slice(ONE_BY_ONE).map(begin));
const known = new Set(respondedMs.keys());
const calm = await inSeconds(() => conversation(1, inCalm));
await until(isReceived(inCalm), 'what was said in calm');
report(
  `${chatClientCount} sockets in calm, ${IN_FLIGHT} messages on their way at once`,
  (id) => !known.has(id),
  calm,
);
const bare = await timeEcho({ sockets: chatClientCount, messages: 50, semaphore });
console.log(`a bare socket.io echo over as many sockets: ${bare.rate.toFixed(0)}/s, ${both(bare.times)}`);

const left = each - inCalm;
const stormy = await inSeconds(() =>
  Promise.all([conversation(inCalm, each, CUSTOMER_EVERY_MS), killAll(2 * left * talkers.length)]),
);
console.log(
  `${kills} kills in ${stormy.toFixed(0)} s; ${acknowledged} messages acknowledged in all, ${((2 * left * talkers.length) / stormy).toFixed(0)}/s among the kills`,
);
const isWhole = () => talkers.every(({ shown }) => shown.size >= 2 * each);
// Panels are whole by themselves, or something was lost; the count below says what.
await until(isWhole, 'panels to be whole').catch((error: Error) => console.log(error.message));

const sides = {
  customers: { lost: 0, doubled: 0, disordered: 0 },
  agents: { lost: 0, doubled: 0, disordered: 0 },
};
for (const chatClient of talkers) {
  judgeSide(panelOf(chatClient), chatClient.at, each, sides.customers);
  sides.customers.disordered += chatClient.misheard;
  judgeSide(await agent.read(chatClient.conversation), chatClient.at, each, sides.agents);
  chatClient.close();
}
for (const [side, { lost, doubled, disordered }] of Object.entries(sides))
  console.log(`${side}' side: ${lost} lost, ${doubled} doubled, ${disordered} out of order`);
await Promise.all(servers.map(stopServer));
await env.close();
const wrong = Object.values(sides).flatMap((verdict) => Object.values(verdict));
process.exit(wrong.every((count) => count === 0) ? 0 : 1);
