import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { BankAccount, bankAccountFields, Closed, Message, Nullable, Text, Timestamp } from './schemas.ts';

export const readProfile = call({
  method: 'GET',
  path: '/api/account/profile',
  access: 'member',
  summary: "The member's profile and bank account",
  reply: Closed(
    {
      profile: Closed({
        _id: Type.String(),
        username: Type.String(),
        name: Type.String(),
        createdAt: Timestamp,
      }),
      bankAccount: BankAccount,
      /** The newest request for another account, while it waits or was not granted. */
      bankAccountRequest: Nullable(
        Closed({
          status: Type.Union([Type.Literal('PENDING'), Type.Literal('REFUSED'), Type.Literal('LAPSED')]),
          bankCode: Type.String(),
          bankAccountName: Type.String(),
          bankAccountNo: Type.String({ description: 'Masked: only the last four digits are real.' }),
          createdAt: Timestamp,
        }),
      ),
      payoutsFrom: Nullable(
        Type.String({ description: 'When withdrawals to a new account are first paid; null when they are.' }),
      ),
      coolingHours: Type.Optional(
        Type.Number({
          minimum: 0,
          description: 'Hours between the approval of another account and the first payout to it.',
        }),
      ),
    },
    { $id: 'Profile' },
  ),
});

export const changeProfile = call({
  method: 'PUT',
  path: '/api/account/profile',
  access: 'member',
  summary:
    'Change the name at once, and request another bank account; payouts go to the old one until an operator approves',
  body: Closed({ name: Text(200), ...bankAccountFields }),
  reply: Closed({
    status: Type.Union([Type.Literal('SUCCESS'), Type.Literal('PENDING')], {
      description: 'PENDING: the bank account waits for an operator.',
    }),
  }),
  refusals: ['INVALID_USER_INFO', 'INVALID_BANK', 'BANK_ACCOUNT_NAME_ENG', 'EXISTING_BANK', 'REQUEST_LIMIT'],
});

/** A repeat, or a request that was decided meanwhile, changes nothing. A new password ends the request as well. */
export const withdrawAccountRequest = call({
  method: 'DELETE',
  path: '/api/account/profile/request',
  access: 'member',
  summary: 'Withdraw the pending request for another bank account',
  reply: Message,
});

export const correctAccountName = call({
  method: 'PUT',
  path: '/api/account/bankAccountName',
  access: 'member',
  summary: 'Write the name of an own account in English, where its bank demands it and it is not',
  body: Closed({ bankCode: Text(20), bankAccountName: Text(200) }),
  reply: Message,
  refusals: ['INVALID_USER_INFO', 'INVALID_BANK', 'BANK_ACCOUNT_NAME_ENG'],
});
