import { chat as contract } from '@krapao/contract/operator';
import { CHAT_IMAGE_MEGABYTES_MAX, CHAT_VIDEO_MEGABYTES_MAX } from '@krapao/contract/shared';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { PoolClient, Reads } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { countedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { timesOf } from '../../platform/http/list.ts';
import { lockList } from '../../platform/list-lock.ts';
import type { Sockets } from '../../platform/live/sockets.ts';
import { searchOf } from '../../platform/member-search.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { changedTags } from '../../platform/tags.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { requireDays, requireSpan } from '../figures/read.ts';
import { recordMentions } from '../mentions/read.ts';
import { ratingQuestion } from './away-texts.ts';
import type { ChatDeps } from './chat.ts';
import { hold } from './macro-queries.ts';
import { checkMessage, keepFile, requireFile, type Wired, wiredMessage } from './messages.ts';
import {
  assign,
  CANNED_MAX,
  CONVERSATION_KEYS,
  type ConversationRow,
  conversationOrder,
  countBoxes,
  countOtherCanned,
  endSession,
  findConversationRow,
  listAgents,
  listCanned,
  listConversationMessages,
  listConversations,
  listSessions,
  lockConversation,
  lockForMerge,
  mergeConversation,
  notifyConsole,
  notifyCustomer,
  readByAgent,
  removeCanned,
  reopen,
  saveCanned,
  snooze,
  sumSessions,
  tag,
} from './operator-queries.ts';
import { type PlainMessageRow, say, sayAfterwards } from './queries.ts';
import { listTeamNames } from './team-queries.ts';
import { receiveFile, type UploadDeps } from './uploads.ts';

export type ChatOperatorDeps = Pick<ChatDeps, 'pool' | 'clock' | 'config' | 'settings' | 'files'> &
  UploadDeps & {
    reads: Reads;
    /** Reads that may wait: reports. */
    backgroundReads: Reads;
    sockets: Pick<Sockets, 'isThere'>;
  };

/** The id of a row, NO_DATA for what is none. */
export const idOf = (refuse: Refuse<'NO_DATA'>, text: string): bigint => {
  if (!/^\d{1,18}$/.test(text)) throw refuse('NO_DATA');
  return BigInt(text);
};

function stateOf(row: ConversationRow, now: Date) {
  if (row.state === 'ENDED') return row.state;
  if (row.held_since) return 'ON_HOLD' as const;
  return row.snoozed_until && row.snoozed_until > now ? ('SNOOZED' as const) : row.state;
}

/** A row that has a name, as a reply refers to it. */
export const refOf = ({ id, name }: { id: bigint; name: string }) => ({ id: String(id), name });

const view = (row: ConversationRow, now: Date) => ({
  id: String(row.id),
  member: row.member_id === null ? null : { id: String(row.member_id), name: row.member_name ?? '' },
  guest: row.guest,
  language: row.language,
  state: stateOf(row, now),
  lastWords: row.last_words,
  lastSender: row.last_sender,
  lastAt: row.last_at.toISOString(),
  waitingSince: row.waiting_since?.toISOString() ?? null,
  unread: row.unread,
  assignee: row.assignee === null ? null : { id: String(row.assignee), name: row.assignee_name ?? '' },
  team: row.team === null ? null : { id: String(row.team), name: row.team_name ?? '' },
  snoozedUntil: row.snoozed_until?.toISOString() ?? null,
  tags: row.tags,
});

async function requireRow(
  refuse: Refuse<'NO_DATA'>,
  deps: ChatOperatorDeps,
  id: string,
): Promise<ConversationRow> {
  const row = await findConversationRow(deps.pool, idOf(refuse, id));
  if (!row) throw refuse('NO_DATA');
  return row;
}

/** What an action does in its transaction to a locked conversation. */
type Work<Result> = (
  tx: PoolClient,
  chat: NonNullable<Awaited<ReturnType<typeof lockConversation>>>,
  id: bigint,
) => Promise<Result>;

/** Runs one action on a locked conversation, writes its audit row, and notifies every console. */
export const perform = (
  refuse: Refuse<'NO_DATA'>,
  deps: ChatOperatorDeps,
  actor: Actor,
  { after, ...which }: { id: string; action: string; after?: object },
  work: Work<void>,
): Promise<{ message: string }> =>
  change(refuse, deps, actor, which, async (tx, chat, id) => {
    await work(tx, chat, id);
    return after ? { after } : {};
  });

/** As `perform`, for work that returns what its audit row says of before and after; null when it did nothing. */
export async function change(
  refuse: Refuse<'NO_DATA'>,
  deps: ChatOperatorDeps,
  actor: Actor,
  { id, action }: { id: string; action: string },
  work: Work<{ before?: object; after?: object } | null>,
): Promise<{ message: string }> {
  const conversationId = idOf(refuse, id);
  await inTransaction(deps.pool, async (tx) => {
    const chat = await lockConversation(tx, conversationId);
    if (!chat) throw refuse('NO_DATA');
    const changed = await work(tx, chat, conversationId);
    if (!changed) return;
    const trail = { action: `chat.${action}`, subject: entityRef('chat', conversationId), ...changed };
    await writeAudit(tx, actor, trail, deps.clock.now());
    await notifyConsole(tx, conversationId);
  });
  return { message: 'OK' };
}

const line = (deps: ChatOperatorDeps, row: PlainMessageRow) => {
  const { deliver: _deliver, ...message } = wiredMessage(deps.files, row);
  return {
    id: String(row.id),
    sender: row.sender,
    by: row.operator,
    session: String(row.session_id),
    createdAt: row.created_at.toISOString(),
    clientId: row.client_id,
    message,
  };
};

/** When sessions were opened that a list is filtered by; throws INVALID_REQUEST without both ends or for too many days. */
function sessionTimes(query: { agent?: string; from?: string; to?: string }): ReturnType<typeof timesOf> {
  const times = timesOf(query);
  if (query.agent === undefined && !times.from && !times.to) return times;
  if (!times.from || !times.to) throw new Refusal('INVALID_REQUEST', { field: times.from ? 'to' : 'from' });
  requireSpan(times.from, times.to);
  return times;
}

function readCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  const { pool, clock } = deps;
  declare(contract.listChats, async ({ query, operator }) => {
    const now = clock.now();
    const { box = 'all', tag: wantedTag, member, q } = query;
    const memberId = member === undefined ? null : /^\d{1,18}$/.test(member) ? member : '0';
    const wanted = {
      box,
      operatorId: operator.id,
      now,
      tag: wantedTag || null,
      memberId,
      ...searchOf(deps, q),
      agent: query.agent ?? null,
      ...sessionTimes(query),
    };
    const list = { keys: CONVERSATION_KEYS, standard: conversationOrder(wanted) };
    const [{ rows, page }, counts] = await Promise.all([
      countedPage(query, list, (slice, counted) => listConversations(deps.reads, wanted, slice, counted)),
      countBoxes(pool, operator.id, now),
    ]);
    const targetMinutes = deps.settings.get('chat.answerMinutes');
    return { chats: rows.map((row) => view(row, now)), ...page, counts, targetMinutes };
  });
  declare(contract.readChat, async ({ params, refuse }) => {
    const row = await requireRow(refuse, deps, params.id);
    const [sessions, agents, teams, isThere] = await Promise.all([
      listSessions(pool, row.id),
      listAgents(pool),
      listTeamNames(pool),
      deps.sockets.isThere(row.room),
    ]);
    return {
      chat: view(row, clock.now()),
      isThere,
      customerReadUpTo: row.customer_read === 0n ? null : String(row.customer_read),
      sessions: sessions.map((one) => ({
        id: String(one.id),
        openedAt: one.opened_at.toISOString(),
        endedAt: one.ended_at?.toISOString() ?? null,
        endedBy: one.ended_by,
        rating: one.rating,
      })),
      agents: agents.map(refOf),
      teams: teams.map(refOf),
    };
  });
  declare(contract.listMessages, async ({ params, query, refuse }) => {
    const row = await requireRow(refuse, deps, params.id);
    const before = query.before === undefined ? null : idOf(refuse, query.before);
    const rows = await listConversationMessages(pool, row.id, { before, limit: query.limit ?? 30 });
    return { messages: rows.map((one) => line(deps, one)) };
  });
  declare(contract.readChatFigures, async ({ query }) => {
    const { days, from, to } = requireDays(deps, query);
    const targetMinutes = deps.settings.get('chat.answerMinutes');
    const target = { minutes: targetMinutes, now: clock.now() };
    const rows = await sumSessions(deps.backgroundReads, from, to, target);
    return {
      ...days,
      targetMinutes,
      rows: rows.map(({ first_answer: firstAnswer, ...row }) => ({ ...row, firstAnswer })),
    };
  });
}

function conversationCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  const { pool, clock } = deps;
  declare(contract.sendMessage, async ({ params, body, operator, refuse }) => {
    const row = await requireRow(refuse, deps, params.id);
    const checked = checkMessage(body.message as Wired);
    const content = { conversationId: row.id, sender: 'agent' as const, operatorId: operator.id, ...checked };
    const stored = await inTransaction(pool, async (tx) => {
      const chat = await lockConversation(tx, row.id);
      // Merged meanwhile: the customer of the other conversation may be another one.
      if (!chat) throw refuse('NO_DATA');
      // Another operator has it: an operator takes it over before responding, which is visible to all.
      if (chat.assignee && chat.assignee !== operator.id) throw refuse('CLAIMED');
      const one = await say(tx, content, clock.now(), deps.settings.get('chat.idleMinutes'));
      if (one.is_new) {
        await requireFile(tx, checked);
        await keepFile(tx, checked, one.id);
      }
      return one;
    });
    return { id: String(stored.id), createdAt: stored.created_at.toISOString() };
  });
  declare(contract.addNote, ({ params, body, actor, operator, refuse }) =>
    perform(refuse, deps, actor, { id: params.id, action: 'note' }, async (tx, _chat, conversationId) => {
      const message = { message_type: 'text', payload: { message: body.text.trim() } };
      const note = { conversationId, sender: 'note' as const, operatorId: operator.id, message, words: '' };
      const clientId = `note:${crypto.randomUUID()}`;
      await say(tx, { ...note, clientId }, clock.now(), deps.settings.get('chat.idleMinutes'));
      await recordMentions(tx, {
        text: body.text,
        authorId: operator.id,
        subject: entityRef('chat', conversationId),
        permission: 'chat.read',
        now: clock.now(),
      });
    }),
  );
  declare(contract.readChatUpTo, async ({ params, refuse }) => {
    const row = await requireRow(refuse, deps, params.id);
    const upTo = await readByAgent(pool, row.id);
    if (upTo !== null) {
      await notifyCustomer(pool, row.id, { kind: 'read', upTo: String(upTo) });
      await notifyConsole(pool, row.id);
    }
    return { message: 'OK' };
  });
  declare(contract.reportTyping, async ({ params, refuse }) => {
    const row = await requireRow(refuse, deps, params.id);
    await notifyCustomer(pool, row.id, { kind: 'typing' });
    return { message: 'OK' };
  });
}

/** Ends the session and requests a rating from the customer; ROW_CHANGED when none is open. */
export async function end(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: ChatOperatorDeps,
  tx: PoolClient,
  id: bigint,
  operatorId: bigint,
): Promise<void> {
  const now = deps.clock.now();
  const chat = await lockConversation(tx, id);
  const sessionId = await endSession(tx, id, operatorId, now);
  if (sessionId === null) throw refuse('ROW_CHANGED');
  const message = ratingQuestion(sessionId, chat?.language ?? deps.config.variant);
  const question = { conversationId: id, sender: 'agent' as const, operatorId: null, message, words: '' };
  await sayAfterwards(tx, { ...question, sessionId, clientId: `rate:${sessionId}` }, now);
}

/** Merges a guest's conversation into another, with its audit row. */
async function merge(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED' | 'CLAIMED'>,
  deps: ChatOperatorDeps,
  actor: Actor,
  { id, into, reason }: { id: string; into: string; reason: string },
): Promise<void> {
  const [fromId, intoId] = [idOf(refuse, id), idOf(refuse, into)];
  const now = deps.clock.now();
  if (fromId === intoId) throw new Refusal('INVALID_REQUEST', { field: 'into' });
  await inTransaction(deps.pool, async (tx) => {
    const rows = await lockForMerge(tx, [fromId, intoId]);
    const from = rows.find((row) => row.id === fromId);
    const target = rows.find((row) => row.id === intoId);
    if (!from || !target) throw refuse('NO_DATA');
    if (from.member_id !== null) throw new Refusal('INVALID_REQUEST', { field: 'id' }, 'of a member');
    if (from.is_merged || target.is_merged) throw refuse('ROW_CHANGED', { state: 'MERGED' });
    // Another operator has it: as with a response, the caller takes it over first.
    if (from.assignee !== null && from.assignee !== actor.id)
      throw refuse('CLAIMED', { by: from.assignee_name });
    await mergeConversation(tx, fromId, intoId, now);
    const trail = {
      action: 'chat.merge',
      subject: entityRef('chat', fromId),
      before: { guest: from.guest, state: from.state, assignee: from.assignee_name, tags: from.tags },
      after: {
        into: intoId,
        ...(target.member_id === null ? { guest: target.guest } : { member: target.member_id }),
      },
      reason,
    };
    await writeAudit(tx, actor, trail, now);
  });
}

function actionCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  declare(contract.takeChat, ({ params, actor, operator, refuse }) =>
    perform(refuse, deps, actor, { id: params.id, action: 'claim' }, async (tx, chat, id) => {
      if (chat.assignee !== null && chat.assignee !== operator.id) throw refuse('ROW_CHANGED');
      await assign(tx, id, operator.id);
    }),
  );
  declare(contract.transferChat, ({ params, body, actor, refuse }) =>
    perform(
      refuse,
      deps,
      actor,
      { id: params.id, action: 'transfer', after: { operator: body.operator } },
      async (tx, _chat, id) => {
        const agents = await listAgents(tx);
        const to = body.operator === null ? null : agents.find((one) => String(one.id) === body.operator);
        if (to === undefined) throw refuse('NO_DATA');
        await assign(tx, id, to?.id ?? null);
      },
    ),
  );
  declare(contract.endChat, ({ params, actor, operator, refuse }) =>
    perform(refuse, deps, actor, { id: params.id, action: 'end' }, (tx, _chat, id) =>
      end(refuse, deps, tx, id, operator.id),
    ),
  );
  declare(contract.reopenChat, ({ params, actor, operator, refuse }) =>
    perform(refuse, deps, actor, { id: params.id, action: 'reopen' }, async (tx, chat, id) => {
      if (chat.state === 'OPEN') throw refuse('ROW_CHANGED');
      await reopen(tx, id, operator.id, deps.clock.now());
    }),
  );
  declare(contract.snoozeChat, ({ params, body, actor, refuse }) =>
    perform(
      refuse,
      deps,
      actor,
      { id: params.id, action: 'snooze', after: { until: body.until } },
      async (tx, _chat, id) => {
        const until = body.until === null ? null : new Date(body.until);
        if (until && Number.isNaN(until.getTime())) throw new Refusal('INVALID_REQUEST');
        await snooze(tx, id, until ?? deps.clock.now());
      },
    ),
  );
  declare(contract.holdChat, ({ params, body, actor, refuse }) =>
    perform(
      refuse,
      deps,
      actor,
      { id: params.id, action: 'hold', after: { isHeld: body.isHeld } },
      async (tx, chat, id) => {
        if (chat.state === 'ENDED') throw refuse('ROW_CHANGED');
        await hold(tx, id, body.isHeld, deps.clock.now());
      },
    ),
  );
  declare(contract.tagChat, ({ params, body, actor, refuse }) =>
    change(refuse, deps, actor, { id: params.id, action: 'tag' }, async (tx, { tags: before }, id) => {
      const tags = changedTags(refuse, before, body);
      await tag(tx, id, tags);
      return { before: { tags: before }, after: { tags } };
    }),
  );
  declare(contract.mergeChat, async ({ params, body, actor, refuse }) => {
    await merge(refuse, deps, actor, { ...params, ...body });
    return { message: 'OK' };
  });
}

function cannedCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  const { pool, clock } = deps;
  declare(contract.listCanned, async () => ({
    canned: (await listCanned(pool)).map((row) => ({ id: row.shortcut, ...row })),
  }));
  declare(contract.saveCanned, async ({ params: { shortcut }, body: { text }, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const now = clock.now();
      await lockList(tx, 'canned replies');
      const others = await countOtherCanned(tx, shortcut);
      const before = await saveCanned(tx, { shortcut, text, by: actorName(actor), now });
      if (before === null && others >= CANNED_MAX) throw refuse('LIST_FULL', { max: CANNED_MAX });
      const trail = { action: 'chat.canned', subject: entityRef('canned', shortcut), before, after: text };
      await writeAudit(tx, actor, trail, now);
    });
    return { message: 'OK' };
  });
  declare(contract.removeCanned, async ({ params: { shortcut }, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const before = await removeCanned(tx, shortcut);
      if (before === undefined) throw refuse('NO_DATA');
      const trail = { action: 'chat.canned', subject: entityRef('canned', shortcut), before, after: null };
      await writeAudit(tx, actor, trail, clock.now());
    });
    return { message: 'OK' };
  });
}

/** Answers the agents' side of the chat. */
export function chatOperatorCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  readCalls(declare, deps);
  conversationCalls(declare, deps);
  actionCalls(declare, deps);
  cannedCalls(declare, deps);
}

/** The agents' call that takes a file. */
export function chatFileCall(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  declare(contract.addChatFile, async ({ request, actor, refuse }) => {
    const limits = { image: CHAT_IMAGE_MEGABYTES_MAX, video: CHAT_VIDEO_MEGABYTES_MAX };
    const { path, kind } = await receiveFile(refuse, deps, request, limits, {
      uploader: { isGuest: false, key: actorName(actor) },
    });
    return { path, fileType: kind };
  });
}
