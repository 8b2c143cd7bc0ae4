import { DAY_MS, HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { chat } from '@krapao/contract/member';
import { CHAT_IMAGE_MEGABYTES_MAX, CHAT_VIDEO_MEGABYTES_MAX, type Language } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import { requireAddressWithinLimit } from '../../platform/attempts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import type { Files } from '../../platform/files.ts';
import { networkOf, networksOf } from '../../platform/http/caller.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import type { Uploader, Uploads } from '../../platform/http/uploads.ts';
import type { Images } from '../../platform/images/images.ts';
import type { JobSet } from '../../platform/jobs.ts';
import type { Limits } from '../../platform/limits.ts';
import { requireWithinLimit } from '../../platform/limits.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { SessionCode, Sessions } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { isWithinHours } from '../lookups/read.ts';
import { AWAY_TEXTS, ratingOf } from './away-texts.ts';
import { sweepFiles, sweepGuestFiles } from './file-queries.ts';
import { requireConversationQuota, requireUploaderQuota, storedUntil } from './file-quota.ts';
import { type Checked, checkMessage, keepFile, requireFile, type Wired, wiredMessage } from './messages.ts';
import {
  endIdle,
  type Kept,
  listHistory,
  type MessageContent,
  type MessageRow,
  openConversation,
  rate,
  readByCustomer,
  readReplyMinutes,
  readUnread,
  say,
} from './queries.ts';
import { receiveFile } from './uploads.ts';
import { type Customer, conversationOf, memberOf, whoIs } from './who.ts';

export interface ChatDeps {
  pool: Pool;
  limits: Limits;
  clock: Clock;
  config: Config;
  sessions: Sessions;
  settings: Settings;
  files: Files;
  images: Images;
  guestImages: Images;
  uploads: Uploads;
}

/** What rooms of the live socket are called in front of an id. */
export const PREFIX = 'krapao';
/** Messages of one customer, and of all callers behind one address, which many phones share. */
const FLOOD = { customer: { max: 30, ms: MINUTE_MS }, address: { max: 300, ms: MINUTE_MS } };
/** Files of one member, or of one address of guests, in an hour. */
const FILES_HOUR_MAX = 60;

const nameOf = ({ member, guestHash }: Customer): string =>
  member ? `member:${member.id}` : `guest:${guestHash!.toString('hex')}`;

/** Throws REQUEST_LIMIT above the message rate. */
async function requireCalm(deps: ChatDeps, customer: Customer, address: string): Promise<void> {
  const now = deps.clock.now();
  await Promise.all([
    requireWithinLimit(deps.limits, { key: `chat:${nameOf(customer)}`, ...FLOOD.customer }, now),
    requireAddressWithinLimit(deps.limits, 'chat-address', address, FLOOD.address, now),
  ]);
}

/**
 * Counts a conversation that a guest is about to begin; throws REQUEST_LIMIT when the address, or all guests together,
 * begins more than agents could answer.
 */
async function requireGuestQuota(
  refuse: Refuse<'INVALID_USER_INFO'>,
  deps: ChatDeps,
  customer: Customer,
  address: string,
): Promise<void> {
  if (customer.member || (await conversationOf(refuse, deps.pool, customer)) !== null) return;
  const { settings, limits } = deps;
  const now = deps.clock.now();
  const own = settings.get('chat.guestAddressHourMax');
  const all = settings.get('chat.guestHourMax');
  const note = 'new conversations of guests';
  await requireAddressWithinLimit(limits, 'chat-new', address, { max: own, ms: HOUR_MS }, now, note);
  await requireWithinLimit(limits, { key: 'chat-new', max: all, ms: HOUR_MS }, now, note);
}

/** Whether agents are there by the clock. */
export function isOpen({ settings, clock }: Pick<ChatDeps, 'settings' | 'clock'>): boolean {
  const hours = settings.get('chat.hours');
  return hours.length === 0 || hours.some((window) => isWithinHours(clock.now(), window));
}

/** Stores a customer's message; replies automatically while no agent is available. */
async function sendAs(
  refuse: Refuse<'INVALID_USER_INFO' | 'CHAT_FILES_FULL'>,
  deps: ChatDeps,
  customer: Customer,
  checked: Checked,
  language: Language,
): Promise<{ id: bigint; session_id: bigint; created_at: Date }> {
  const { pool, settings } = deps;
  const now = deps.clock.now();
  const idle = settings.get('chat.idleMinutes');
  return inTransaction(pool, async (tx) => {
    const whose = { memberId: customer.member?.id ?? null, guestHash: customer.guestHash, language };
    const conversationId = await openConversation(tx, whose, now);
    if (conversationId === null) throw refuse('INVALID_USER_INFO', undefined, 'the guest is a member by now');
    const content = { conversationId, sender: 'customer' as const, operatorId: null, ...checked };
    const rating = ratingOf(checked.message);
    if (rating) {
      const rated = await rate(tx, { ...content, ...rating }, now);
      if (!rated) throw new Refusal('INVALID_REQUEST', { field: 'message' }, 'no session to rate');
      return rated;
    }
    const kept: Kept = await addMessage(refuse, tx, deps, content, customer.member === null);
    if (kept.is_first && !isOpen(deps)) {
      const message = { message_type: 'text', payload: { message: AWAY_TEXTS[language] } };
      const away = { conversationId, sender: 'agent' as const, operatorId: null, message };
      await say(tx, { ...away, words: AWAY_TEXTS[language], clientId: `away:${kept.id}` }, now, idle);
    }
    return kept;
  });
}

/** Sends a message with the file it names; a repeat needs no file again. */
async function addMessage(
  refuse: Refuse<'CHAT_FILES_FULL'>,
  tx: PoolClient,
  deps: Pick<ChatDeps, 'clock' | 'settings'>,
  content: MessageContent & Checked,
  isGuest: boolean,
): Promise<Kept> {
  const kept = await say(tx, content, deps.clock.now(), deps.settings.get('chat.idleMinutes'));
  if (!kept.is_new || !content.fileKey) return kept;
  await requireFile(tx, content);
  await keepFile(tx, content, kept.id, storedUntil(deps, isGuest));
  await requireConversationQuota(refuse, tx, deps, { conversationId: content.conversationId, isGuest });
  return kept;
}

/**
 * A message as customers receive it: an agent's has no name, because operators sign in with theirs. `guestId` is returned
 * to the caller that sent it.
 */
export const itemOf = (files: Pick<Files, 'link'>, row: MessageRow, guestId: string | null) => ({
  _id: String(row.id),
  sender: row.sender === 'customer' ? ('customer' as const) : ('agent' as const),
  message: wiredMessage(files, row) as never,
  userId: row.member_id === null ? null : String(row.member_id),
  guestId,
  username: row.sender === 'customer' ? row.member_phone : null,
  name: row.sender === 'customer' ? row.member_name : null,
  createdAt: row.created_at.toISOString(),
  session_id: String(row.session_id),
});

/**
 * Returns what a first answer took of late, read at most once a minute: the call is open to everybody, and a reading goes
 * through the sessions of a day.
 */
function createReplyMinutes({ pool, clock }: Pick<ChatDeps, 'pool' | 'clock'>): () => Promise<number | null> {
  let last: { at: number; minutes: Promise<number | null> } | null = null;
  return () => {
    const at = clock.now().getTime();
    if (last && at - last.at < MINUTE_MS) return last.minutes;
    const minutes = readReplyMinutes(pool, new Date(at - DAY_MS));
    const reading = { at, minutes };
    last = reading;
    minutes.catch(() => {
      if (last === reading) last = null;
    });
    return minutes;
  };
}

/** Answers the customers' side of the chat. */
export function chatCalls(declare: Declare, deps: ChatDeps): void {
  const { pool, settings } = deps;
  const replyMinutes = createReplyMinutes(deps);
  declare(chat.readChatConfig, async () => ({
    PREFIX,
    isOnline: isOpen(deps),
    hours: settings.get('chat.hours'),
    answerMinutes: await replyMinutes(),
  }));
  declare(chat.sendChatMessage, async ({ body, request, address, refuse }) => {
    const customer = await whoIs(refuse, deps, request, body);
    const checked = checkMessage(body.message as Wired);
    await requireCalm(deps, customer, address);
    await requireGuestQuota(refuse, deps, customer, address);
    const kept = await sendAs(refuse, deps, customer, checked, languageOf(request, deps.config.variant));
    return {
      createdAt: kept.created_at.toISOString(),
      session_id: String(kept.session_id),
      _id: String(kept.id),
    };
  });
  declare(chat.listChatHistory, async ({ body, request, refuse }) => {
    const customer = await whoIs(refuse, deps, request, body);
    const id = await conversationOf(refuse, pool, customer);
    if (id === null) return [];
    const rows = await listHistory(pool, id, body);
    return rows.map((row) => itemOf(deps.files, row, customer.guestId));
  });
  declare(chat.readChat, async ({ body, request, refuse }) => {
    const id = await conversationOf(refuse, pool, await whoIs(refuse, deps, request, body));
    if (id !== null) await readByCustomer(pool, id, body.upTo === undefined ? null : BigInt(body.upTo));
    return { message: 'OK' };
  });
  declare(chat.countUnreadChat, async ({ body, request, refuse }) => {
    const id = await conversationOf(refuse, pool, await whoIs(refuse, deps, request, body));
    if (id === null) return { unread: 0, isOpen: false, readUpTo: null };
    const { unread, is_open, agent_read } = await readUnread(pool, id);
    return { unread, isOpen: is_open, readUpTo: agent_read === 0n ? null : String(agent_read) };
  });
}

/**
 * The calls that take a file. With a token the file counts to its member, and a bad token is refused; without one it
 * counts to the guest's network. Both before the body is read.
 */
export function chatUploadCalls(declare: Declare, deps: ChatDeps): void {
  const uploaderOf = async (
    refuse: Refuse<SessionCode>,
    request: FastifyRequest,
    address: string,
  ): Promise<Uploader> => {
    const member = await memberOf(refuse, deps.sessions, request);
    const hour = { max: FILES_HOUR_MAX, ms: HOUR_MS };
    const now = deps.clock.now();
    const key = member ? `member:${member.id}` : networkOf(address);
    if (member) await requireWithinLimit(deps.limits, { key: `chat-file:${key}`, ...hour }, now);
    else await requireAddressWithinLimit(deps.limits, 'chat-file', address, hour, now);
    return { isGuest: member === null, key };
  };
  const receive = async (
    refuse: Refuse<
      SessionCode | 'CHAT_FILES_FULL' | 'CHAT_FILE_UNSUPPORTED' | 'CHAT_FILE_TOO_LARGE' | 'SLIP_NO_FILE'
    >,
    request: FastifyRequest,
    address: string,
    limits: Parameters<typeof receiveFile>[3],
  ): Promise<{ path: string }> => {
    const uploader = await uploaderOf(refuse, request, address);
    const counted = uploader.isGuest ? networksOf(address) : [{ network: uploader.key, times: 1 }];
    const admit = (bytes: number) => requireUploaderQuota(refuse, deps, counted, bytes);
    const { path } = await receiveFile(refuse, deps, request, limits, { uploader, admit });
    return { path };
  };
  declare(chat.uploadChatImage, ({ request, address, refuse }) =>
    receive(refuse, request, address, { image: CHAT_IMAGE_MEGABYTES_MAX }),
  );
  declare(chat.uploadChatVideo, ({ request, address, refuse }) =>
    receive(refuse, request, address, { video: CHAT_VIDEO_MEGABYTES_MAX }),
  );
}

/** Ends idle sessions; deletes files that no message names, and in time those of guests. */
export function chatJobs(deps: Pick<ChatDeps, 'pool' | 'clock' | 'settings' | 'files'>): JobSet {
  return {
    tasks: {
      'chat.sweep': async () => {
        const now = deps.clock.now();
        await endIdle(deps.pool, now, deps.settings.get('chat.idleMinutes'));
        const unused = await sweepFiles(deps.pool, new Date(now.getTime() - HOUR_MS));
        for (const key of [...unused, ...(await sweepGuestFiles(deps.pool, now))])
          await deps.files.remove(key);
      },
    },
    everyMinute: ['chat.sweep'],
  };
}
