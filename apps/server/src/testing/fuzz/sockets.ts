import { ERROR_CODES } from '@krapao/contract/shared';
import { io, type Socket } from 'socket.io-client';
import { type Random, seededRandom } from './random.ts';
import { HOSTILE } from './values.ts';

interface SocketFuzz {
  sent: number;
  /** Acknowledgements by their code. */
  responses: Map<string, number>;
  faults: string[];
}

const EVENTS = ['join', 'typing', 'message', 'messaging', 'constructor', '__proto__', 'toString', ''];
const PAGES = ['CHAT-1', 'CHAT-guest', `CHAT-${'a'.repeat(30)}`, 'admin', '*'];
/** A socket may send 60 events in ten seconds; another one takes over before that. */
const EVENTS_A_SOCKET = 50;
const RESPONSE_MS = 20_000;
const KNOWN: ReadonlySet<string> = new Set(ERROR_CODES);

function connect(url: string, random: Random): Promise<Socket> {
  const address = `203.0.113.${1 + random.below(250)}`;
  const socket = io(url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: random.pick([{}, { token: 'x' }, { guestId: 'a'.repeat(30) }, { token: { toString: 1 } }]),
    extraHeaders: { 'x-forwarded-for': address },
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    // A refused token is an answer too; the socket is then not used.
    socket.once('connect_error', (error) => {
      socket.disconnect();
      reject(error);
    });
  });
}

async function emitOne(socket: Socket, random: Random, result: SocketFuzz): Promise<void> {
  const name = random.pick(EVENTS);
  const args = Array.from({ length: random.below(3) }, () =>
    random.chance(0.4) ? random.pick(PAGES) : random.pick(HOSTILE),
  );
  result.sent += 1;
  if (random.chance(0.3)) {
    socket.emit(name, ...args);
    return;
  }
  try {
    const response: unknown = await socket.timeout(RESPONSE_MS).emitWithAck(name, ...args);
    const code = (response as { message?: unknown } | null)?.message;
    const text = typeof code === 'string' ? code : JSON.stringify(response);
    result.responses.set(text, (result.responses.get(text) ?? 0) + 1);
    if (!KNOWN.has(text) || text === 'INTERNAL_SERVER_ERROR')
      result.faults.push(`${name} ${JSON.stringify(args).slice(0, 300)}: ${text}`);
  } catch (error) {
    result.faults.push(`${name} ${JSON.stringify(args).slice(0, 300)}: ${(error as Error).message}`);
  }
}

/** Sends generated events, declared and unknown ones, with arguments that fit none of them most of the time. */
export async function fuzzSockets(options: {
  url: string;
  seed: number;
  count: number;
}): Promise<SocketFuzz> {
  const random = seededRandom(options.seed);
  const result: SocketFuzz = { sent: 0, responses: new Map(), faults: [] };
  let refused = 0;
  while (result.sent < options.count) {
    const socket = await connect(options.url, random).catch(() => null);
    if (!socket) {
      refused += 1;
      if (refused > options.count) throw new Error('no socket was let in');
      continue;
    }
    for (let event = 0; event < EVENTS_A_SOCKET && result.sent < options.count; event++)
      await emitOne(socket, random, result);
    socket.disconnect();
  }
  return result;
}
