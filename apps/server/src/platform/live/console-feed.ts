import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Pool } from '../database/db.ts';
import type { OperatorDoor } from '../http/declare-operator.ts';
import { listen } from '../listen.ts';

/** Keeps proxies from cutting a silent stream, and notices sessions that have ended. */
const BEAT_MS = 20_000;

/** A page that was loaded before a change has its stream by then. */
const NEWS_MS = 10_000;

/** A member may change many times in a moment; the console follows within a second. */
const MEMBER_MS = 250;
const MEMBER_ID = /^\d{1,18}$/;

const line = (event: { pageName?: string; isNew: boolean; arrival?: string; word: string | null }): string =>
  `data: ${JSON.stringify(event)}\n\n`;

const memberLine = (memberId: string): string =>
  line({ pageName: 'members', isNew: false, arrival: `members ${memberId}`, word: null });

/** An event for open consoles: which page changed, and whether a new item waits there. */
export interface ConsoleFeed {
  /**
   * Streams to one console until it disconnects or `isStillIn` returns false at a beat. Pages that changed a moment ago are named
   * first: between its first reading and now the console could not receive them. The member shown, if any, is named too.
   * @param memberId the only member whose changes this console receives
   */
  join(reply: FastifyReply, isStillIn: () => Promise<boolean>, memberId: string | null): void;
  /** Notifies the consoles that show this member, once for changes in quick succession. */
  memberChanged(memberId: string): void;
  /** Returns whether database notifications are being received. */
  isHearing(): boolean;
  close(): Promise<void>;
}

/** Follows the database's channel `console` and passes it on as server-sent events (WHATWG HTML §9.2). */
export function openConsoleFeed(pool: Pool): ConsoleFeed {
  /** The open consoles, each with the member it shows. */
  const open = new Map<FastifyReply, string | null>();
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
    for (const pageName of [
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
    ])
      say(pageName);
  });

  const leave = (reply: FastifyReply) => {
    open.delete(reply);
    reply.raw.end();
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
      const beat = setInterval(() => {
        reply.raw.write(': beat\n\n');
        void isStillIn().then(
          (yes) => yes || leave(reply),
          () => leave(reply),
        );
      }, BEAT_MS);
      beat.unref();
      reply.raw.once('close', () => {
        clearInterval(beat);
        open.delete(reply);
      });
    },
    async close() {
      for (const timer of memberTimers.values()) clearTimeout(timer);
      for (const reply of open.keys()) leave(reply);
      await listener.stop();
    },
  };
}

/** Serves GET /api/operator/live to signed-in operators. */
export function consoleFeedRoute(app: FastifyInstance, feed: ConsoleFeed, door: OperatorDoor): void {
  app.get('/api/operator/live', { schema: { hide: true } as never }, async (request, reply) => {
    // An open page is no use of the session: only what the operator does is.
    const enter = () => door(request, 'operator', null, true);
    const operator = await enter();
    const { member } = request.query as { member?: unknown };
    const isShown = typeof member === 'string' && MEMBER_ID.test(member);
    const mayRead = operator?.permissions.has('member.read');
    feed.join(reply, () => enter().then(Boolean), isShown && mayRead ? member : null);
    return reply;
  });
}
