/** Members as operators see them. */

import { Type } from 'typebox';
import { KYC_FILTERS } from '../shared/kyc.ts';
import { Localized } from '../shared/schemas.ts';
import { MEMBER_STATUSES, RUN_STATES } from '../shared/statuses.ts';
import { TAG_MAX } from '../shared/tags.ts';
import { operatorCall } from './call.ts';
import { counted, cursorPage, summed, turns } from './cursor.ts';
import { Risk } from './risk.ts';
import {
  ActionReply,
  between,
  Closed,
  Currency,
  Done,
  Id,
  MaskedAccount,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  Reason,
  SeveralOf,
  SeveralTexts,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';
import { TagChange } from './tags.ts';

export const MemberStatus = OneOf(MEMBER_STATUSES);
/** What a manual entry is for. */
export const ENTRY_CATEGORIES = ['correction', 'goodwill', 'campaign', 'fee', 'other'] as const;
/** What stops money of a member for a while: an exclusion they chose, and the cooling-off of a changed account. */
const MEMBER_FLAGS = ['EXCLUDED', 'NEW_ACCOUNT'] as const;
export const MemberFlag = Closed({
  kind: OneOf(MEMBER_FLAGS),
  at: Nullable(Type.String({ description: 'Until when, UTC, ISO 8601; null: for good.' })),
});
const params = Closed({ id: Id });

const row = {
  id: Type.String(),
  name: Type.String(),
  phone: Type.String({ description: 'Masked.' }),
  status: MemberStatus,
  currency: Currency,
  source: Type.String(),
  createdAt: Timestamp,
  wallet: Money,
  account: Nullable(MaskedAccount),
  tags: Type.Array(Type.String()),
};

export const listMembers = operatorCall({
  method: 'GET',
  path: '/api/operator/members',
  permission: 'member.read',
  summary: 'Members by phone, id, name or bank account number',
  query: Closed({
    ...cursorPage,
    ...sortBy('createdAt', 'name'),
    ...between,
    q: Type.Optional(Text(80)),
    status: Type.Optional(SeveralOf(MEMBER_STATUSES)),
    source: Type.Optional(SeveralTexts(40)),
    bank: Type.Optional(SeveralTexts(20)),
    tag: Type.Optional(SeveralTexts(TAG_MAX)),
    kyc: Type.Optional(SeveralOf(KYC_FILTERS)),
  }),
  reply: Closed({ members: Type.Array(Closed(row, { $id: 'MemberRow' })), ...summed }),
});

export const readMember = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}',
  permission: 'member.read',
  summary: 'One member: balances, games, sessions, notes',
  params,
  reply: Closed(
    {
      ...row,
      sourceNames: Localized(Type.String()),
      coins: Type.Integer(),
      held: Money,
      inGames: Money,
      total: Money,
      inviter: Nullable(MemberRef),
      invited: Type.Integer(),
      unknownInviteCode: Nullable(Type.String()),
      /** The member's time-out or self-exclusion; no operator can end it early. */
      exclusion: Nullable(
        Closed({ until: Nullable(Type.String({ description: 'UTC, ISO 8601; null: for good.' })) }),
      ),
      limits: Type.Array(
        Closed({
          kind: OneOf(['deposit', 'loss'] as const),
          period: OneOf(['day', 'week', 'month'] as const),
          amount: Money,
        }),
        { description: 'What the member allows themselves, as it holds now.' },
      ),
      flags: Type.Array(MemberFlag),
      risk: Risk,
      hasPin: Type.Boolean({ description: 'They demand a PIN before money leaves.' }),
      ageConfirmed: Nullable(
        Closed({ age: Type.Integer({ description: 'As the form required it then.' }), at: Timestamp }),
      ),
      games: Type.Array(
        Closed({
          code: Type.String(),
          name: Type.String(),
          username: Type.String(),
          credits: Type.Number(),
          worth: Money,
          askedAt: Nullable(Timestamp),
        }),
      ),
      sessions: Type.Array(
        Closed({
          createdAt: Timestamp,
          expiresAt: Timestamp,
          endedAt: Nullable(Timestamp),
          address: Nullable(Type.String()),
          device: Nullable(Type.String()),
        }),
      ),
      notes: Type.Array(
        Closed({
          id: Type.String(),
          at: Timestamp,
          by: Type.String(),
          text: Type.String(),
          isPinned: Type.Boolean(),
        }),
        { description: 'Pinned ones first, then the newest.' },
      ),
    },
    { $id: 'MemberDetail' },
  ),
  refusals: ['NO_DATA'],
});

export const syncGame = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/games/{game}/sync',
  permission: 'transfer.settle',
  summary: "Read a game's balance at the provider now; the difference is booked as game result",
  params: Closed({ id: Id, game: Id }),
  reply: Closed(
    {
      credits: Type.Number(),
      worth: Money,
      result: Type.Number({ description: 'What the game has won or lost since the last reading.' }),
    },
    { $id: 'SyncedGame' },
  ),
  refusals: ['NO_DATA', 'PROVIDER_UNAVAILABLE', 'ROW_CHANGED'],
});

export const endRun = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/run/end',
  permission: 'entry.make',
  summary:
    'End one bonus run of the member, named because another may have begun since it was read. forfeit takes what is above the deposit behind it; keep leaves what the terms allow of a success. figures known uses the last known balances, once a provider has been silent for the time in the settings, and takes only from the wallet. A second person decides an end that leaves the member more than the limit of manual entries',
  params,
  body: Closed({
    run: Text(40, 1),
    outcome: OneOf(['forfeit', 'keep'] as const),
    figures: OneOf(['fresh', 'known'] as const),
    reason: Reason,
  }),
  reply: Closed(
    {
      state: OneOf(RUN_STATES),
      taken: Money,
      approval: Nullable(Type.String({ description: 'The request that waits for a checker.' })),
    },
    { $id: 'EndedRun' },
  ),
  refusals: [
    'NO_DATA',
    'ROW_CHANGED',
    'PROVIDER_UNAVAILABLE',
    'BONUS_CONDITION',
    'TRANSFER_FAIL',
    'APPROVAL_PENDING',
    'OPERATOR_LIMIT',
  ],
});

export const listMemberStatement = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/statement',
  permission: 'member.read',
  summary: "The member's statement, newest first",
  params,
  query: Closed(cursorPage),
  reply: Closed({
    rows: Type.Array(
      Closed({
        id: Type.String(),
        type: Type.String(),
        status: Type.String(),
        from: Type.String(),
        to: Type.String(),
        amount: Money,
        createdAt: Timestamp,
      }),
    ),
    ...counted,
  }),
  refusals: ['NO_DATA'],
});

export const listMemberPostings = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/postings',
  permission: 'member.read',
  summary: "Every posting on the member's ledger accounts, newest first",
  params,
  query: Closed(cursorPage),
  reply: Closed({
    postings: Type.Array(
      Closed({
        entry: Type.String(),
        at: Timestamp,
        kind: Type.String(),
        reference: Type.String(),
        account: Type.String(),
        amount: Money,
        balanceAfter: Money,
      }),
    ),
    ...counted,
  }),
  refusals: ['NO_DATA'],
});

export const setMemberStatus = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/status',
  permission: 'member.status',
  summary:
    'Suspend, let in again, or close for good an account in which nothing is left or open; its games are read first',
  params,
  body: Closed({ status: MemberStatus, seen: MemberStatus, reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA', 'PROVIDER_UNAVAILABLE', 'ROW_CHANGED'],
});

export const endMemberSessions = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/sessions/end',
  permission: 'member.status',
  summary: "End all of a member's sessions",
  params,
  body: Closed({ reason: Reason }),
  reply: Closed({ ended: Type.Integer() }),
  refusals: ['NO_DATA'],
});

export const revealMember = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/reveal',
  permission: 'member.reveal',
  summary: 'The full phone and account number; leaves an audit row',
  params,
  body: Closed({ reason: Type.Optional(Text(500)) }),
  reply: Closed({
    phone: Type.String(),
    accountNo: Nullable(Type.String()),
  }),
  refusals: ['NO_DATA'],
});

export const addNote = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/notes',
  permission: 'member.note',
  summary: 'Leave a note for the other operators',
  params,
  body: Closed({ text: Text(2000, 1) }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const pinNote = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/notes/{note}/pin',
  permission: 'member.note',
  summary: 'Keep a note above the others, or no longer',
  params: Closed({ id: Id, note: Id }),
  body: Closed({ isPinned: Type.Boolean() }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const tagMember = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/tags',
  permission: 'member.note',
  summary: 'Add tags to a member and remove tags; the others stay',
  params,
  body: TagChange,
  reply: Done,
  refusals: ['NO_DATA', 'TAGS_MAX'],
});

export const listMemberTags = operatorCall({
  method: 'GET',
  path: '/api/operator/member-tags',
  permission: 'member.read',
  summary: 'The tags in use, with how many members have each',
  reply: Closed({ tags: Type.Array(Closed({ tag: Type.String(), count: Type.Integer() })) }),
});

export const readLifetime = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/lifetime',
  permission: 'member.read',
  summary:
    'What a member paid in, was paid and was granted since they registered, and the wallet over 30 days',
  params,
  reply: Closed(
    {
      deposits: Closed({
        count: Type.Integer(),
        amount: Money,
        first: Nullable(Timestamp),
        last: Nullable(Timestamp),
      }),
      withdrawals: Closed({ count: Type.Integer(), amount: Money, last: Nullable(Timestamp) }),
      bonuses: Closed({ count: Type.Integer(), amount: Money }),
      net: Type.Number({ description: 'Paid in less paid out; what was taken back counts as neither.' }),
      balances: Type.Array(Closed({ day: Type.String(), amount: Money }), {
        description: 'The wallet at the end of each of the last 30 days of Bangkok, oldest first.',
      }),
    },
    { $id: 'MemberLifetime' },
  ),
  refusals: ['NO_DATA'],
});

/** The kinds of rows of a member's timeline. */
export const TIMELINE_KINDS = ['money', 'login', 'note', 'alert', 'chat', 'change'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export const listTimeline = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/timeline',
  permission: 'member.read',
  summary:
    'Everything that happened to a member in one list, newest first: money, logins, notes, alerts, conversations, changes. What the caller may not open is left out',
  params,
  query: Closed({
    ...cursorPage,
    kind: Type.Optional(SeveralOf(TIMELINE_KINDS)),
  }),
  reply: Closed({
    rows: Type.Array(
      Closed(
        {
          id: Type.String(),
          at: Timestamp,
          kind: OneOf(TIMELINE_KINDS),
          what: Type.String({
            description:
              'Of money the type of its statement row, or `slip` for one that was not accepted; of an alert its kind, of a change its action.',
          }),
          state: Nullable(Type.String()),
          amount: Nullable(Money),
          from: Nullable(Type.String({ description: 'Of money its source; of a login its address.' })),
          to: Nullable(Type.String()),
          by: Nullable(
            Type.String({ description: 'Operator of a note or conversation, actor of a change.' }),
          ),
          text: Nullable(
            Type.String({ description: 'Note, detail of an alert, device of a login, reason of a change.' }),
          ),
          subject: Nullable(Type.String({ description: 'What the row is about, such as `withdrawal:WD1`.' })),
        },
        { $id: 'TimelineRow' },
      ),
    ),
    ...turns,
  }),
  refusals: ['NO_DATA'],
});

/** What members share: a bank account, a browser on one small network, such a network within the same months. */
export const SHARED_KINDS = ['account', 'device', 'network'] as const;

export const listShared = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/shared',
  permission: 'member.read',
  summary:
    'Other members with the same bank account, now or formerly, the same browser on a small network, or a small network, within 90 days',
  params,
  reply: Closed(
    {
      shared: Type.Array(
        Closed({
          kind: OneOf(SHARED_KINDS),
          member: MemberRef,
          status: MemberStatus,
          what: Type.String({ description: 'The masked account number, the browser, or the network.' }),
          lastAt: Timestamp,
        }),
        { description: 'Accounts first, then by the last time; 100 at most.' },
      ),
    },
    { $id: 'SharedMembers' },
  ),
  refusals: ['NO_DATA'],
});

/** What two members of one invite tree share. */
export const PAIR_KINDS = ['account', 'device'] as const;

export const readInviteTree = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/invite-tree',
  permission: 'member.read',
  summary:
    'The members around one who are joined by invitations, 60 at most, and who of them share a bank account or, within 30 days, a browser on a small network',
  params,
  reply: Closed(
    {
      members: Type.Array(
        Closed({
          member: MemberRef,
          status: MemberStatus,
          inviter: Nullable(
            Type.String({ description: 'Id of the inviter; null where they are not in this list.' }),
          ),
          invited: Type.Integer({ description: 'How many members this one invited.' }),
        }),
        { description: 'In the order of their ids; an inviter stands before those they invited.' },
      ),
      shared: Type.Array(Closed({ kind: OneOf(PAIR_KINDS), first: Type.String(), second: Type.String() }), {
        description: 'Pairs of ids of `members`; 200 at most.',
      }),
    },
    { $id: 'InviteTree' },
  ),
  refusals: ['NO_DATA'],
});

export const enterManually = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/entries',
  permission: 'entry.make',
  summary: 'Credit or debit a wallet; above the limit a second person decides',
  params,
  body: Closed({
    direction: OneOf(['credit', 'debit'] as const),
    amount: Type.Number(),
    category: OneOf(ENTRY_CATEGORIES),
    reason: Reason,
    key: Text(64, 8),
  }),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'TRANSFER_MINIMUM',
    'MONEY_NOT_ENOUGH',
    'IDEMPOTENCY_CONFLICT',
    'APPROVAL_PENDING',
    'APPROVAL_LAPSED',
    'ROW_CHANGED',
    'NOT_CLAIMED',
    'OPERATOR_LIMIT',
  ],
});
