/** Deposit accounts: the operator's bank accounts that members pay into. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { ActionReply, Closed, Currency, Done, Id, Money, Nullable, OneOf, Reason, Text } from './schemas.ts';

/** PAUSED: not shown to members, yet watched, so that late money is credited. CLOSED: not even watched. */
const ChannelState = OneOf(['OPEN', 'PAUSED', 'CLOSED'] as const);
const params = Closed({ id: Id });

export const listChannels = operatorCall({
  method: 'GET',
  path: '/api/operator/deposit-accounts',
  permission: 'channel.read',
  summary: 'Accounts members pay into, in the order they are offered, with what came today',
  reply: Closed({
    channels: Type.Array(
      Closed(
        {
          id: Type.String(),
          bankCode: Type.String(),
          bankName: Type.String({ description: 'As the bank’s own country writes it.' }),
          bankNameEn: Type.String(),
          bankColor: Nullable(Type.String()),
          bankType: OneOf(['BANK', 'WW', 'ZAPMAN', 'WALLET'] as const),
          mode: OneOf(['AUTO', 'QR'] as const),
          accountName: Type.String(),
          accountNo: Type.String({ description: 'Whole: members are shown it.' }),
          currency: Currency,
          state: ChannelState,
          ceiling: Nullable(Money),
          today: Type.Number({ description: 'What came since midnight in Bangkok.' }),
          isFull: Type.Boolean({ description: 'At its ceiling: not shown to members before midnight.' }),
          version: Type.Integer(),
        },
        { $id: 'ChannelRow' },
      ),
    ),
  }),
});

export const setChannel = operatorCall({
  method: 'PUT',
  path: '/api/operator/deposit-accounts/{id}',
  permission: 'channel.manage',
  summary: 'Pause an account, open it again, close it, or set what it may take a day',
  params,
  body: Closed({
    state: ChannelState,
    ceiling: Nullable(Type.Number({ exclusiveMinimum: 0 })),
    version: Type.Integer(),
    reason: Reason,
  }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED'],
});

export const orderChannels = operatorCall({
  method: 'POST',
  path: '/api/operator/deposit-account-order',
  permission: 'channel.manage',
  summary: 'The order accounts are offered in; names every one of them',
  body: Closed({ ids: Type.Array(Id, { maxItems: 500, uniqueItems: true }) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

export const addChannel = operatorCall({
  method: 'POST',
  path: '/api/operator/deposit-accounts',
  permission: 'channel.manage',
  summary:
    'Request a new account, or another number in place of an account, which is then paused; a second person decides',
  body: Closed({
    bankCode: Type.String({ pattern: '^[A-Z0-9]{2,12}$', maxLength: 12 }),
    bankType: OneOf(['BANK', 'WW', 'ZAPMAN', 'WALLET'] as const),
    mode: OneOf(['AUTO', 'QR'] as const),
    accountName: Text(120, 1),
    accountNo: Type.String({ pattern: '^[0-9]{0,20}$', maxLength: 20 }),
    currency: Currency,
    staticQr: Nullable(Text(600, 20)),
    replaces: Nullable(Id),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'APPROVAL_PENDING'],
});
