import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Budget } from '../budget.ts';
import type { Pool } from '../database/db.ts';
import { endPendingCall } from '../http/call-limits.ts';
import type { OperatorDoor } from '../http/declare-operator.ts';
import { listen } from '../listen.ts';

/** Keeps proxies from cutting a silent stream, and notices sessions that have ended and readers who do not read. */
const BEAT_MS = 20_000;

/** A page that was loaded before a change has its stream by then. */
const NEWS_MS = 10_000;

/** A member may change many times in a moment; the console follows within a second. */
const MEMBER_MS = 250;
const MEMBER_ID = /^\d{1,18}$/;

/** The pages that are read again when events may have been missed. */
const AFTER_GAP = [
  'withdrawals',
  'unmatched',
  'reports',
  'slips',
  'deposits',
  'transfers',
  'approvals',
  'alerts',
  'assignments',
  'mentions',
  'wheels',
  'coupons',
  'chats',
  'kyc',
  'reconciliation',
];

const line = (event: { pageName?: string; isNew: boolean; arrival?: string; word: string | null }): string =>
  `data: ${JSON.stringify(event)}\n\n`;

const memberLine = (memberId: string): string =>
  line({ pageName: 'members', isNew: false, arrival: `members ${memberId}`, word: null });

/** An event for open consoles: which page changed, and whether a new item waits there. */
export interface ConsoleFeed {
  /**
   * Streams to one console until it disconnects, `isStillIn` returns false at a beat, or the beat before was not taken:
   * what a console does not read would fill memory. Pages that changed a moment ago are named first: between its first
   * reading and now the console could not receive them. The member shown, if any, is named too.
   * @param memberId the only member whose changes this console receives
   */
  join(reply: FastifyReply, isStillIn: () => Promise<boolean>, memberId: string | null): void;
  /** Notifies the consoles that show this member, once for changes in quick succession. */
  memberChanged(memberId: string): void;
  /** Returns whether database notifications are being received. */
  isHearing(): boolean;
  close(): Promise<void>;
}

/** Sends a beat at intervals and then calls `check`. Disconnects a console that has not taken the beat before. */
function startBeat(reply: FastifyReply, ms: number, check: () => Promise<unknown>): NodeJS.Timeout {
  let isTaken = true;
  const timer = setInterval(() => {
    if (!isTaken) return void reply.raw.destroy();
    isTaken = false;
    reply.raw.write(': beat\n\n', (error) => {
      isTaken = !error;
    });
    void check();
  }, ms);
  return timer.unref();
}

/** Follows the database's channel `console` and passes it on as server-sent events (WHATWG HTML §9.2). */
export function openConsoleFeed(pool: Pool, { beatMs = BEAT_MS }: { beatMs?: number } = {}): ConsoleFeed {
  /** The open consoles, each with the member it shows. */
  const open = new Map<FastifyReply, string | null>();
  const beats = new Map<FastifyReply, NodeJS.Timeout>();
  const memberTimers = new Map<string, NodeJS.Timeout>();
  const changedAt = new Map<string, number>();
  const send = (text: string) => {
    for (const reply of open.keys()) reply.raw.write(text);
  };
  const memberChanged = (memberId: string) => {
    if (memberTimers.has(memberId) || ![...open.values()].includes(memberId)) return;
    const timer = setTimeout(() => {
      memberTimers.delete(memberId);
      for (const [reply, shown] of open) if (shown === memberId) reply.raw.write(memberLine(memberId));
    }, MEMBER_MS);
    memberTimers.set(memberId, timer);
  };
  const say = (payload: string) => {
    const [pageName = '', word, number] = payload.split(' ');
    if (pageName === 'members') return memberChanged(number ?? '');
    const arrival = number && `${pageName} ${number}`;
    if (word !== 'typing') changedAt.set(pageName, Date.now());
    send(line({ pageName, isNew: word === 'new', arrival, word: word ?? null }));
  };
  // After a gap, consoles read everything again, because missed events are unknown.
  const listener = listen(pool, 'console', say, () => {
    for (const pageName of AFTER_GAP) say(pageName);
  });

  const forget = (reply: FastifyReply) => {
    clearInterval(beats.get(reply));
    beats.delete(reply);
    open.delete(reply);
  };
  const leave = (reply: FastifyReply) => {
    // A write after the end is a fault, and a reader who does not read never takes the end.
    forget(reply);
    if (reply.raw.writableNeedDrain) reply.raw.destroy();
    else reply.raw.end();
  };
  return {
    isHearing: listener.isHearing,
    memberChanged,
    join(reply, isStillIn, memberId) {
      reply.hijack();
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      reply.raw.write('retry: 2000\n\n');
      for (const [pageName, at] of changedAt)
        if (Date.now() - at < NEWS_MS) reply.raw.write(line({ pageName, isNew: false, word: null }));
      if (memberId) reply.raw.write(memberLine(memberId));
      open.set(reply, memberId);
      beats.set(
        reply,
        startBeat(reply, beatMs, () =>
          isStillIn().then(
            (yes) => yes || leave(reply),
            () => leave(reply),
          ),
        ),
      );
      reply.raw.once('close', () => forget(reply));
    },
    async close() {
      for (const timer of memberTimers.values()) clearTimeout(timer);
      for (const reply of open.keys()) leave(reply);
      await listener.stop();
    },
  };
}

/** Where the console reads its stream of hints. */
export const CONSOLE_FEED_PATH = '/api/operator/live';

/**
 * Serves GET /api/operator/live to signed-in operators. REQUEST_LIMIT when the operator has their share of `streams`,
 * Overloaded when none is free. An open stream is not a pending call.
 */
export function consoleFeedRoute(
  app: FastifyInstance,
  { feed, door, streams }: { feed: ConsoleFeed; door: OperatorDoor; streams: Budget },
): void {
  app.get(CONSOLE_FEED_PATH, { schema: { hide: true } as never }, async (request, reply) => {
    // An open page is no use of the session: only what the operator does is.
    const enter = () => door(request, 'operator', null, true);
    const operator = await enter();
    const { member } = request.query as { member?: unknown };
    const isShown = typeof member === 'string' && MEMBER_ID.test(member);
    const mayRead = operator?.permissions.has('member.read');
    reply.raw.once('close', streams.take(operator!.name));
    endPendingCall(reply);
    feed.join(reply, () => enter().then(Boolean), isShown && mayRead ? member : null);
    return reply;
  });
}
