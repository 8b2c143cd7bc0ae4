import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '@krapao/contract/durations';
import type { MemberEvents, ScreenEvents } from '@krapao/contract/member';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import { createAdapter } from '@socket.io/postgres-adapter';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { Server } from 'socket.io';
import type { Budget } from '../budget.ts';
import type { Pool } from '../database/db.ts';
import { networkOf } from '../http/caller.ts';
import { type Listener, listen, openDedicated } from '../listen.ts';
import type { Redis } from '../redis.ts';
import { Refusal } from '../refusal.ts';
import { refuseAny } from '../refuse-any.ts';
import type { Sessions } from '../sessions.ts';
import { limitHandshakes } from './handshakes.ts';
import { redisAdapter } from './redis-adapter.ts';
import { receiveEvents } from './screen-events.ts';

/** One event for all screens of a member. */
export interface MemberEvent {
  memberId: bigint;
  event: keyof MemberEvents;
  payload: object;
}

/**
 * The wallet as a posting left it. Needs no outbox: the caller's own answer says the same, other screens read again.
 * @param onTheWayMinor what the posting has sent to a game
 */
export const walletHint = (
  member: { id: bigint; currency: Currency },
  after: { balanceMinor: bigint; version: bigint },
  onTheWayMinor = 0n,
): MemberEvent => ({
  memberId: member.id,
  event: 'wallet',
  payload: {
    amount: fromMinor(after.balanceMinor, member.currency),
    version: Number(after.version),
    ...(onTheWayMinor > 0n && { onTheWay: fromMinor(onTheWayMinor, member.currency) }),
  },
});

/** A PostgreSQL notice holds fewer than 8,000 bytes. */
const NOTICE_BYTES_MAX = 7_500;

/** Events as texts for channel `member_event`, several to a notice. Each event must fit into one. */
export function memberEventNotices(events: readonly MemberEvent[]): string[] {
  const notices: string[][] = [];
  let room = 0;
  for (const { memberId, event, payload } of events) {
    const text = JSON.stringify({ memberId: String(memberId), event, payload });
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > room) {
      notices.push([]);
      room = NOTICE_BYTES_MAX;
    }
    notices.at(-1)?.push(text);
    room -= bytes;
  }
  return notices.map((texts) => `[${texts.join()}]`);
}

/** Live events to members' screens. */
export interface Sockets {
  /** Sends to the members' screens on every instance. A hint: screens read again after a reconnect. */
  notify(events: readonly MemberEvent[]): void;
  /** Returns whether notifications of other instances and the database are being received. */
  isHearing(): boolean;
  /** Calls `listener` with the id of every member whose screens are sent something, whichever instance it comes from. */
  onMember(listener: (memberId: string) => void): void;
  /** Returns whether a screen is in the room, on any instance; instances that do not respond in time are ignored. */
  isThere(room: string): Promise<boolean>;
  close(): Promise<void>;
}

interface BetweenServers {
  tell: (events: { memberId: string; event: string; payload: object }[]) => void;
}

interface SocketData {
  /** Null for a guest, who has no session. */
  memberId: string | null;
  session: string | null;
  /** The conversation's room it has joined. */
  conversation?: string;
  typedAt?: number;
}

interface ConversationEvent {
  room: string;
  event: string;
  payload: Record<string, unknown>;
}

/** What the chat feature provides for sockets. */
export interface ConversationRooms {
  /** Returns the room of a conversation for its member, or for a guest who knows its secret; otherwise null. */
  roomOf(wanted: string, memberId: string | null): string | null;
  /** Returns the event of a notification, or null. */
  eventOf(notice: ConversationEvent): Promise<{ room: string; event: string; payload: object } | null>;
  /** Somebody in the room is writing. */
  typing(room: string): Promise<void>;
}

const room = (memberId: bigint): string => `member-${memberId}`;
/** How long a client may take to acknowledge that the server stops, in ms. */
const GOODBYE_MS = 1_000;
/** A connection that has joined nothing by then is closed. */
const CONNECT_WITHIN_MS = 10_000;
const SOCKETS_A_MEMBER_MAX = 12;
/** Guests behind one address, which may be a whole network's. */
const GUESTS_AN_ADDRESS_MAX = 200;
const TYPING_EVERY_MS = 2_000;
/** Replaces a member's id in a notification that is for everyone. */
const EVERYBODY = '*';

/** Same origin, or one of those allowed; a page elsewhere must not speak with a member's token. */
function originAllowed(
  origin: string | undefined,
  host: string | undefined,
  origins: readonly string[],
): boolean {
  if (!origin) return true;
  if (origins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

type CallerOf = (request: IncomingMessage) => string;
type LiveServer = Server<ScreenEvents, MemberEvents, BetweenServers, SocketData>;

/** Accepts a guest's socket, which receives nothing before it joins a conversation; limits the number an address has. */
async function letGuestIn(
  io: LiveServer,
  socket: Parameters<Parameters<LiveServer['use']>[0]>[0],
  callerOf: CallerOf,
) {
  const address = `address-${networkOf(callerOf(socket.request))}`;
  const own = await io.local.in(address).fetchSockets();
  if (own.length >= GUESTS_AN_ADDRESS_MAX) throw new Refusal('REQUEST_LIMIT');
  socket.data.memberId = null;
  socket.data.session = null;
  await socket.join(address);
}

/** Lets a member's socket in, with the token of its handshake; bounds how many they have. Without a token it is a guest's. */
function doorman(
  io: LiveServer,
  { sessions, callerOf, isBlocked }: Pick<SocketDeps, 'sessions' | 'callerOf' | 'isBlocked'>,
): Parameters<LiveServer['use']>[0] {
  return async (socket, next) => {
    try {
      if (isBlocked(callerOf(socket.request))) throw new Refusal('INVALID_IP');
      const token: unknown = socket.handshake.auth?.token;
      if (token === undefined || token === null) {
        await letGuestIn(io, socket, callerOf);
        next();
        return;
      }
      if (typeof token !== 'string') throw refuseAny('invalid-token');
      const member = await sessions.member(refuseAny, token);
      const own = await io.local.in(room(member.id)).fetchSockets();
      if (own.length >= SOCKETS_A_MEMBER_MAX) throw new Refusal('REQUEST_LIMIT');
      socket.data.memberId = String(member.id);
      socket.data.session = member.tokenHash.toString('hex');
      socket.data.conversation = room(member.id);
      await socket.join([socket.data.conversation, `session-${socket.data.session}`]);
      // A session that ended before the socket could be found by its member was not closed with the others.
      const ended = await sessions.refusal(member.tokenHash);
      if (ended) throw refuseAny(ended);
      next();
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'INTERNAL_SERVER_ERROR';
      next(Object.assign(new Error(code), { data: { code } }));
    }
  };
}

/** Handles the events of every socket that connects. */
function trackScreens(io: LiveServer, conversations: ConversationRooms, log: SocketLog): void {
  io.on('connection', (socket) => {
    const handlers = {
      async join(wanted: string) {
        const room = conversations.roomOf(wanted, socket.data.memberId);
        if (!room) return;
        if (socket.data.conversation && socket.data.conversation !== room && !socket.data.memberId)
          await socket.leave(socket.data.conversation);
        socket.data.conversation = room;
        await socket.join(room);
      },
      async typing() {
        const { conversation, typedAt = 0 } = socket.data;
        if (!conversation || Date.now() - typedAt < TYPING_EVERY_MS) return;
        socket.data.typedAt = Date.now();
        await conversations.typing(conversation);
      },
    };
    receiveEvents(socket, handlers, (error, event) =>
      log.error({ err: error, event }, 'socket event failed'),
    );
  });
}

/** Whom events go to whose names only the database knows. */
interface Screens {
  emit(event: string, payload: object): void;
}

interface MemberUpdate {
  memberId: bigint | string;
  event: string;
  payload: object;
}

/** A page that was loaded before a change of the site has its line open by then. */
const SITE_NEWS_MS = 60_000;

/**
 * Repeats recent site changes to each new connection, because a page loads its data before it connects and would miss
 * changes in between.
 */
function siteNews(io: LiveServer) {
  const reported = new Map<string, { one: MemberUpdate; at: number }>();
  io.on('connection', (socket) => {
    for (const { one, at } of reported.values())
      if (Date.now() - at < SITE_NEWS_MS) (socket as unknown as Screens).emit(one.event, one.payload);
  });
  return (one: MemberUpdate) => {
    reported.set(JSON.stringify(one.payload), { one, at: Date.now() });
    emitHere(io, [one]);
  };
}

/** Emits to the screens that this instance serves. */
function emitHere(io: LiveServer, events: readonly MemberUpdate[]): void {
  for (const { memberId, event, payload } of events) {
    const name = `member-${memberId}`;
    const isHere = memberId === EVERYBODY || io.of('/').adapter.rooms.has(name);
    const screens = memberId === EVERYBODY ? io.local : io.local.to(name);
    if (isHere) (screens as unknown as Screens).emit(event, payload);
  }
}

/** Closes this instance's sockets in a room: their screens have missed something, reconnect and read again. */
function closeRoom(io: LiveServer, room: string): void {
  const { adapter, sockets } = io.of('/');
  for (const id of adapter.rooms.get(room) ?? []) sockets.get(id)?.conn.close();
}

/** Emits a conversation's event to this instance's screens in its room; closes their sockets when it cannot be read. */
async function notifyConversation(
  io: LiveServer,
  { conversations, log }: Pick<SocketDeps, 'conversations' | 'log'>,
  notice: ConversationEvent,
): Promise<void> {
  if (!io.of('/').adapter.rooms.has(notice.room)) return;
  try {
    const reported = await conversations.eventOf(notice);
    if (reported) (io.local.to(reported.room) as unknown as Screens).emit(reported.event, reported.payload);
  } catch (error) {
    log.error({ err: error, event: notice.event }, 'live event of a conversation not sent');
    closeRoom(io, notice.room);
  }
}

/** Notices of one room, or of the site, are sent one after another to preserve their order; others do not wait. */
function takeTurns() {
  const last = new Map<string, Promise<void>>();
  return {
    run(about: string, notify: () => Promise<void>): void {
      const turn = (last.get(about) ?? Promise.resolve())
        .then(notify)
        .catch(() => undefined)
        .finally(() => {
          if (last.get(about) === turn) last.delete(about);
        });
      last.set(about, turn);
    },
    done: () => Promise.all(last.values()),
  };
}

const POLL_OTHERS_MS = 500;

async function isThere(io: LiveServer, room: string): Promise<boolean> {
  if (io.of('/').adapter.rooms.has(room)) return true;
  const everywhere = io
    .in(room)
    .fetchSockets()
    .then((sockets) => sockets.length > 0)
    .catch(() => false);
  return Promise.race([everywhere, pause(POLL_OTHERS_MS, false, { ref: false })]);
}

/**
 * Closes the sockets whose session has ended, with the reason. The database notifies every instance of ended
 * sessions.
 */
async function endEnded(io: LiveServer, sessions: Sessions, room?: string): Promise<void> {
  for (const socket of await (room ? io.local.in(room) : io.local).fetchSockets()) {
    if (socket.data.session === null) continue;
    const code = await sessions.refusal(Buffer.from(socket.data.session, 'hex'));
    if (!code) continue;
    socket.emit('ended', { message: code });
    socket.disconnect(true);
  }
}

/** Follows the ends of sessions; when one cannot be read, closes the member's sockets, which are checked on return. */
function followEndings(io: LiveServer, { pool, sessions }: Pick<SocketDeps, 'pool' | 'sessions'>): Listener {
  return listen(
    pool,
    'session_ended',
    (memberId) => {
      const name = `member-${memberId}`;
      void endEnded(io, sessions, name).catch(() => closeRoom(io, name));
    },
    () => void endEnded(io, sessions).catch(() => undefined),
  );
}

/** How often sockets are compared with the time of their session, whose end no notification reports. */
const EXPIRED_EVERY_MS = MINUTE_MS;

/** Closes the sockets of this instance whose session is past its time. */
async function endExpired(io: LiveServer, sessions: Sessions): Promise<void> {
  const open = [...io.of('/').sockets.values()].flatMap(({ data }) => data.session ?? []);
  const hashes = [...new Set(open)].map((hash) => Buffer.from(hash, 'hex'));
  for (const hash of await sessions.expired(hashes))
    await endEnded(io, sessions, `session-${hash.toString('hex')}`);
}

type SocketLog = Pick<FastifyBaseLogger, 'error'>;

interface SocketDeps {
  pool: Pool;
  /** Carries hints between instances in place of the database; null where there is none. */
  redis: Redis | null;
  /** Of connections, from the handshake on; a caller is a network. */
  budget: Budget;
  log: SocketLog;
  sessions: Sessions;
  origins: readonly string[];
  conversations: ConversationRooms;
  callerOf: CallerOf;
  isBlocked(address: string): boolean;
  /** Screens request changed data immediately. */
  rereadSettings(): Promise<void>;
}

/** The pool as the adapter needs it: the one connection it keeps, to listen on, is outside the pool. */
const adapterPool = (pool: Pool): pg.Pool => {
  const parts: Pick<pg.Pool, 'connect' | 'query'> = {
    connect: (() => openDedicated(pool)) as pg.Pool['connect'],
    query: pool.query.bind(pool) as pg.Pool['query'],
  };
  return parts as pg.Pool;
};

/** Sockets whose screens may have missed something are closed within this time, not all at once, and read again. */
const CLOSE_WITHIN_MS = 5_000;

function closeGradually(io: LiveServer): void {
  for (const socket of io.of('/').sockets.values())
    setTimeout(() => socket.conn.close(), Math.random() * CLOSE_WITHIN_MS).unref();
}

/** The server that lets sockets in and receives their events. */
function createLiveServer(http: HttpServer, deps: SocketDeps): { io: LiveServer; hangUp(): void } {
  const io: LiveServer = new Server(http, {
    serveClient: false,
    maxHttpBufferSize: 16_384,
    connectTimeout: CONNECT_WITHIN_MS,
    allowRequest: (request, done) =>
      done(null, originAllowed(request.headers.origin, request.headers.host, deps.origins)),
    ...(deps.origins.length > 0 ? { cors: { origin: [...deps.origins] } } : {}),
    adapter: deps.redis
      ? redisAdapter(deps.redis, () => closeGradually(io))
      : createAdapter(adapterPool(deps.pool), { errorHandler: () => undefined }),
  });
  const hangUp = limitHandshakes(io, deps);
  io.use(doorman(io, deps));
  trackScreens(io, deps.conversations, deps.log);
  return { io, hangUp };
}

/** Opens the socket on the HTTP server; instances reach each other's screens through PostgreSQL. */
export function openSockets(http: HttpServer, deps: SocketDeps): Sockets {
  const { io, hangUp } = createLiveServer(http, deps);
  let onMember: (memberId: string) => void = () => undefined;
  const emitToMembers = (events: readonly MemberUpdate[]) => {
    emitHere(io, events);
    for (const { memberId } of events) onMember(String(memberId));
  };
  const emitSiteChange = siteNews(io);
  // One message a batch to the other instances, and none when there are none.
  const emitElsewhere = async (events: readonly MemberEvent[]) => {
    if (deps.redis && !deps.redis.isUp()) {
      await deps.pool.query("select pg_notify('member_event', notice) from unnest($1::text[]) notice", [
        memberEventNotices(events),
      ]);
      return;
    }
    if ((await io.of('/').adapter.serverCount()) <= 1) return;
    io.serverSideEmit(
      'tell',
      events.map((one) => ({ ...one, memberId: String(one.memberId) })),
    );
  };
  io.on('tell', emitToMembers);

  const ignore = () => undefined;
  const endings = followEndings(io, deps);
  const expiry = setInterval(() => void endExpired(io, deps.sessions).catch(ignore), EXPIRED_EVERY_MS);
  expiry.unref();
  const inTurn = takeTurns();
  const emitOne = (reported: MemberUpdate | ConversationEvent) => {
    if ('room' in reported) inTurn.run(reported.room, () => notifyConversation(io, deps, reported));
    else if (reported.event === 'site')
      inTurn.run('site', () =>
        deps
          .rereadSettings()
          .catch(ignore)
          .then(() => emitSiteChange(reported)),
      );
    else emitToMembers([reported]);
  };
  const closeAll = () => {
    for (const socket of io.of('/').sockets.values()) socket.conn.close();
  };
  // Events during a gap are lost for this instance's screens: their connections are closed, and they read again when
  // they reconnect.
  const outcomes = listen(
    deps.pool,
    'member_event',
    (notice) => {
      for (const reported of JSON.parse(notice) as (MemberUpdate | ConversationEvent)[]) emitOne(reported);
    },
    closeAll,
  );
  return {
    onMember(listener) {
      onMember = listener;
    },
    isThere: (room) => isThere(io, room),
    isHearing: () => outcomes.isHearing() && endings.isHearing(),
    notify(events) {
      emitToMembers(events);
      void emitElsewhere(events).catch(() => undefined);
    },
    close: async () => {
      clearInterval(expiry);
      await outcomes.stop();
      await inTurn.done();
      await endings.stop();
      // Their transport ends, not their session: clients connect again by themselves, to another server or the next one.
      closeAll();
      setTimeout(hangUp, GOODBYE_MS).unref();
      await io.close();
    },
  };
}
