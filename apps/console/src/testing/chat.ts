import type { OperatorApi } from '@krapao/contract/operator';
import { MEMBER, ONE_PAGE } from './console-app.tsx';
import { AT } from './withdrawal.ts';

type List = OperatorApi['GET /api/operator/chats']['reply'];
type Head = OperatorApi['GET /api/operator/chats/{id}']['reply'];
type Chat = List['chats'][number];

/** An open conversation of a member that no agent has taken. */
export const CHAT: Chat = {
  id: '7',
  member: MEMBER,
  guest: null,
  language: 'th',
  state: 'OPEN',
  lastWords: 'where is my money',
  lastSender: 'customer',
  lastAt: AT,
  waitingSince: AT,
  unread: 0,
  assignee: null,
  team: null,
  snoozedUntil: null,
  tags: [],
};

/** What is read of one conversation. */
export const headOf = (chat: Chat): Head => ({
  chat,
  isThere: true,
  customerReadUpTo: null,
  sessions: [],
  agents: [],
  teams: [],
});

/** The list of these conversations. */
export const listOf = (chats: Chat[]): List => ({
  ...ONE_PAGE,
  chats,
  total: chats.length,
  counts: { mine: 0, team: null, unassigned: chats.length, all: chats.length, snoozed: 0, held: 0 },
  targetMinutes: 5,
});
