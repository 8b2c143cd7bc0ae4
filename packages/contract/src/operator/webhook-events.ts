/** What webhooks report: every type of event, with the shape of its data. */
import { type Static, type TSchema, Type } from 'typebox';
import { Closed, Currency, Nullable, OneOf, Timestamp } from './schemas.ts';

const AmountMinor = Type.Integer({
  minimum: 0,
  description: 'In minor units: satang for BAHT, whole kip for LAK.',
});
const member = { memberId: Type.String(), currency: Currency };
const withdrawal = { ...member, withdrawalId: Type.String(), amountMinor: AmountMinor };
const deposit = { ...member, depositId: Type.String(), amountMinor: AmountMinor };
const bonus = {
  ...member,
  runId: Type.String(),
  kind: OneOf(['bonus', 'promotion', 'invite', 'refund', 'luckydraw'] as const),
  name: Type.String(),
  amountMinor: AmountMinor,
};

interface EventType {
  /** When it is sent, as the documents say it. */
  about: string;
  data: TSchema;
}

/** Every type of event that an endpoint may subscribe to. */
export const WEBHOOK_EVENTS = {
  'deposit.credited': {
    about: 'a deposit was credited to the wallet',
    data: Closed({
      ...deposit,
      channel: OneOf(['QR', 'AUTO', 'SLIP', 'GIFT', 'MANUAL'] as const),
      bankCode: Type.String(),
      bankReference: Type.String(),
    }),
  },
  'deposit.reversed': {
    about: 'a credited deposit was taken back',
    data: Closed({ ...deposit, reversalId: Type.String(), reason: Type.String() }),
  },
  'withdrawal.requested': {
    about: 'a member requested a withdrawal; the amount is set aside',
    data: Closed({
      ...withdrawal,
      status: OneOf(['QUEUED', 'REVIEW'] as const),
      retryOf: Nullable(Type.String({ description: 'The rejected withdrawal that is sent once more.' })),
    }),
  },
  'withdrawal.paid': {
    about: 'the bank paid a withdrawal',
    data: Closed({ ...withdrawal, status: Type.Literal('SUCCESS') }),
  },
  'withdrawal.rejected': {
    about: 'an operator or the bank rejected a withdrawal; the amount is back in the wallet',
    data: Closed({ ...withdrawal, status: Type.Literal('FAILED'), reason: Nullable(Type.String()) }),
  },
  'withdrawal.returned': {
    about: 'the bank returned a paid withdrawal; the amount is back in the wallet',
    data: Closed({ ...withdrawal, returnId: Type.String() }),
  },
  'member.registered': {
    about: 'a member registered',
    data: Closed({ ...member, sourceCode: Type.String(), inviterId: Nullable(Type.String()) }),
  },
  'member.suspended': {
    about: 'an operator suspended a member',
    data: Closed({ ...member, status: Type.Literal('SUSPENDED') }),
  },
  'member.reactivated': {
    about: 'a suspended member was let in again',
    data: Closed({ ...member, status: Type.Literal('ACTIVE') }),
  },
  'member.closed': {
    about: 'an account was closed',
    data: Closed({ ...member, status: Type.Literal('CLOSED') }),
  },
  'transfer.finished': {
    about: 'a transfer between wallet and game ended',
    data: Closed({
      ...member,
      transferId: Type.String(),
      slot: Type.String({ description: 'Code of the game.' }),
      direction: OneOf(['TO_GAME', 'TO_WALLET'] as const),
      amountMinor: AmountMinor,
      status: OneOf(['SUCCESS', 'FAILED'] as const),
    }),
  },
  'bonus.received': {
    about: 'a bonus, promotion, invite share, cashback or prize was granted; PLAIN has no conditions',
    data: Closed({ ...bonus, status: OneOf(['ACTIVE', 'PLAIN'] as const), expiresAt: Timestamp }),
  },
  'bonus.finished': {
    about: 'a bonus run was won, lost, given up or expired',
    data: Closed({
      ...bonus,
      takenMinor: AmountMinor,
      status: OneOf(['SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED'] as const),
    }),
  },
} as const satisfies Record<string, EventType>;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

/** The names of all types. */
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];

/** The event that a press of *Send a test* makes; it reaches one endpoint and is attempted once. */
export const WEBHOOK_TEST = 'webhook.test';

/** One event as a receiver gets it: the body of a webhook, by its type. */
export type WebhookEvent = {
  [Name in WebhookEventType]: {
    /** The same over all repeats; also in the header `webhook-id`. */
    id: string;
    type: Name;
    /** When it happened: UTC, ISO 8601. */
    timestamp: string;
    data: Static<(typeof WEBHOOK_EVENTS)[Name]['data']>;
  };
}[WebhookEventType];
