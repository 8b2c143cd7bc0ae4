import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { addressOf, type Caller, callerAt, callOnce, type Reply } from './conversation-calls.ts';
import { pause } from './server.ts';

interface Item {
  _id: string;
  message: { deliver: { id: string } };
}

/** A message's text, and the id under which it is sent until it is acknowledged. */
const saying = (id: string) => ({
  message: { message_type: 'text', payload: { message: id }, deliver: { id } },
});

/** A customer with an open panel, and what their panel shows. */
export interface ChatClient {
  at: number;
  /** Shown messages by their id of the server, with the sender's id. */
  shown: Map<string, string>;
  /** When the socket received a message, by the sender's id. */
  receivedAt: Map<string, number>;
  /** Live messages that came after a later one of the same connection, or came twice. */
  misheard: number;
  conversation: string;
  say(id: string): Promise<Reply>;
  close(): void;
}

export interface Ports {
  member: number;
  console: number;
}

interface Target {
  caller: Caller;
  url: string;
}

const AGAIN_MS = 50;
const AGAIN_MOST_MS = 1000;

/** Calls one server after the other, with growing delays, until one accepts. Throws a permanent refusal. */
async function persist(targets: readonly Target[], method: string, body?: object, first = 0): Promise<Reply> {
  for (let tries = first; ; tries++) {
    const { caller, url } = targets[tries % targets.length]!;
    const reply = await callOnce(caller, method, url, body);
    if (reply?.status === 200) return reply;
    if (reply && reply.status < 500 && reply.status !== 429)
      throw new Error(`refused: ${reply.status} ${JSON.stringify(reply.body)}`);
    await pause(Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** (tries - first)));
  }
}

/** Keeps a panel as the member's app does: live messages as they come, and what was missed after each connecting. */
function watch(chatClient: ChatClient, socket: Socket, room: string, fetchAll: () => Promise<Item[]>): void {
  let last = 0n;
  socket.on('connect', () => {
    last = 0n;
    socket.emit('join', room);
    void fetchAll().then((items) => {
      for (const item of items) chatClient.shown.set(item._id, item.message.deliver.id);
    });
  });
  // A refusal at the door, while the database is away, ends the tries of socket.io itself.
  socket.on('connect_error', () => void (socket.active || setTimeout(() => socket.connect(), 100)));
  socket.on('messaging', (item: Item) => {
    if (BigInt(item._id) <= last) chatClient.misheard++;
    last = BigInt(item._id);
    chatClient.shown.set(item._id, item.message.deliver.id);
    chatClient.receivedAt.set(item.message.deliver.id, performance.now());
  });
}

/** Opens a panel at one of the servers: a member's under their token, or a new guest's. */
export async function openChatClient(
  at: number,
  who: { id: string; token: string } | null,
  servers: readonly Ports[],
): Promise<ChatClient> {
  const guestId = randomUUID();
  const identity = who ? {} : { guestId };
  const caller = callerAt(at, {
    'x-requested-with': 'wallet-user',
    ...(who ? { authorization: `Bearer ${who.token}` } : {}),
  });
  const targets = (path: string): Target[] =>
    servers.map(({ member }) => ({ caller, url: `http://127.0.0.1:${member}${path}` }));
  const home = at % servers.length;
  const sending = targets('/api/chat/send-message');
  const reading = [targets('/api/chat/history')[home]!];
  const localAddress = addressOf(at);
  const socket = io(`http://127.0.0.1:${servers[home]!.member}`, {
    transports: ['websocket'],
    auth: who ? { token: who.token } : {},
    reconnectionDelay: 50,
    reconnectionDelayMax: 250,
    ...(localAddress ? { localAddress } : {}),
  });
  const chatClient: ChatClient = {
    at,
    shown: new Map(),
    receivedAt: new Map(),
    misheard: 0,
    conversation: '',
    say: (id) => persist(sending, 'POST', { ...identity, ...saying(id) }, at + id.length),
    close: () => void socket.disconnect(),
  };
  const history = async () => {
    const items: Item[] = [];
    for (let more = true; more; ) {
      const body = { ...identity, limit: 100, skip: items.length };
      const page = await persist(reading, 'POST', body);
      items.push(...page.body);
      more = page.body.length === 100;
    }
    return items;
  };
  watch(chatClient, socket, `krapao-${who ? who.id : guestId}`, history);
  await new Promise((resume) => socket.once('connect', () => resume(null)));
  return chatClient;
}

/** What a panel shows, oldest first. */
export const panelOf = ({ shown }: ChatClient): string[] =>
  [...shown].toSorted(([a], [b]) => Number(BigInt(a) - BigInt(b))).map(([, id]) => id);

/** An agent at the operators' API of every server. */
export function agentWith(cookie: string, servers: readonly Ports[]) {
  const ends = servers.map(({ console }) => {
    const origin = `http://127.0.0.1:${console}`;
    return { origin, caller: callerAt(0, { 'x-requested-with': 'console-operator', origin, cookie }) };
  });
  const request = (method: string, path: string, body?: object, first?: number): Promise<Reply> =>
    persist(
      ends.map(({ origin, caller }) => ({ caller, url: origin + path })),
      method,
      body,
      first,
    );
  return {
    response: (conversation: string, id: string, first: number): Promise<Reply> =>
      request('POST', `/api/operator/chats/${conversation}/messages`, saying(id), first),
    /** Returns the messages of a conversation, oldest first, as the console lists them. */
    async read(conversation: string): Promise<string[]> {
      const lines: { id: string; clientId: string }[] = [];
      for (let before = ''; ; before = `&before=${lines.at(-1)!.id}`) {
        const path = `/api/operator/chats/${conversation}/messages?limit=100${before}`;
        const { messages } = (await request('GET', path)).body;
        lines.push(...messages);
        if (messages.length < 100) return lines.map(({ clientId }) => clientId).toReversed();
      }
    },
  };
}
