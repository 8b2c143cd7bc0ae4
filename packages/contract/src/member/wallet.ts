import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { refusedAs } from '../shared/schemas.ts';
import {
  Amount,
  BankAccount,
  Closed,
  Nullable,
  Receipt,
  Slot,
  Text,
  Timestamp,
  TransferAllReceipt,
} from './schemas.ts';

const slotParams = Closed({ slotCode: Text(40) });

export const readWallet = call({
  method: 'GET',
  path: '/api/wallet',
  access: 'member',
  summary: 'Wallet, games as last known, profile and bank account',
  reply: Closed(
    {
      profile: Closed({
        name: Type.String(),
        username: Type.String(),
        _id: Type.String(),
        coin: Type.Integer(),
      }),
      bankAccount: BankAccount,
      wallet: Closed({
        amount: Amount,
        currency: Type.Union([Type.Literal('BAHT'), Type.Literal('LAK')]),
        version: Type.Integer({ description: 'Grows with every change; the newer figure wins.' }),
        onTheWay: Type.Optional(
          Type.Number({
            minimum: 0,
            description:
              'Out of the wallet for games that have not reported it yet; the member still has it.',
          }),
        ),
      }),
      invite: Closed({ amount: Amount, success: Type.Number(), fail: Type.Number() }),
      slots: Type.Array(Slot),
      formerGames: Type.Optional(
        Type.Array(Closed({ code: Type.String(), name: Type.String() }), {
          description:
            'Games that are off and not among `slots`, though the member has had an account there: their statement names them.',
        }),
      ),
      lastSync: Nullable(Timestamp),
    },
    { $id: 'Wallet' },
  ),
});

export const refreshSlots = call({
  method: 'GET',
  path: '/api/wallet/refresh/slot',
  access: 'member',
  summary: 'Read the balance of every opened game',
  reply: Closed(
    {
      slots: Type.Array(
        Closed({
          code: Type.String(),
          amount: Type.Number(),
          openBets: Type.Number(),
          ok: Type.Boolean(),
          staleSince: Nullable(Type.String()),
        }),
      ),
      lastSync: Timestamp,
    },
    { $id: 'RefreshedSlots' },
  ),
});

export const activateSlot = call({
  method: 'GET',
  path: '/api/wallet/activate/{slotCode}',
  access: 'member',
  summary: 'Open a game account',
  sideEffect: true,
  params: slotParams,
  reply: Slot,
  refusals: [
    'NO_GAME',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'SLOT_ALREADY_ACTIVE',
    'SLOT_ACTIVATE_FAIL',
    'GAME_ACTIVATION_FAIL',
    'PROVIDER_UNAVAILABLE',
  ],
});

const SlotAccount = Closed(
  { username: Type.String(), password: Type.String(), event: Type.Optional(Type.String()) },
  { $id: 'SlotAccount' },
);

export const readSlotAccount = call({
  method: 'GET',
  path: '/api/wallet/account/{slotCode}',
  access: 'member',
  summary: 'Credentials of a game account, for who may begin to play',
  params: slotParams,
  reply: SlotAccount,
  refusals: [
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'NO_GAME',
    'SLOT_NO_ACCOUNT',
    'SLOT_RESET_PASSWORD_FAIL',
    'PROVIDER_UNAVAILABLE',
  ],
});

export const resetSlotPassword = call({
  method: 'GET',
  path: '/api/wallet/resetpassword/{slotCode}',
  access: 'member',
  summary: 'A new password for a game account, at most once a minute',
  sideEffect: true,
  params: slotParams,
  reply: SlotAccount,
  refusals: [
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'NO_GAME',
    'SLOT_NO_ACCOUNT',
    'SLOT_RESET_PASSWORD_FAIL',
    'PROVIDER_UNAVAILABLE',
  ],
});

export const transfer = call({
  method: 'POST',
  path: '/api/wallet/transfer',
  access: 'member',
  summary: 'Move money between the wallet and games',
  idempotent: true,
  body: Closed({
    from: Text(40),
    to: Text(40),
    amount: Type.Number({
      ...refusedAs('TRANSFER_MINIMUM'),
      description:
        "At least 1 in the wallet's currency. Less only where it is all that a game holds and goes to the wallet.",
    }),
  }),
  reply: Receipt,
  refusals: [
    'NO_WALLET',
    'TRANSFER_MINIMUM',
    'SLOT_NO_ACCOUNT',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'BONUS_REMAINING',
    'MONEY_NOT_ENOUGH',
    'TRANSFER_FAIL',
    'PROVIDER_UNAVAILABLE',
  ],
});

export const transferAll = call({
  method: 'POST',
  path: '/api/wallet/transferAll',
  access: 'member',
  summary: 'Empty every other account into one',
  idempotent: true,
  body: Closed({ to: Text(40) }),
  reply: TransferAllReceipt,
  refusals: [
    'NO_WALLET',
    'SLOT_NO_ACCOUNT',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'MONEY_NOT_ENOUGH',
    'TRANSFER_MINIMUM',
    'TRANSFER_FAIL',
    'PROVIDER_UNAVAILABLE',
    'BONUS_REMAINING',
  ],
});

const withdrawRefusals = [
  'UNAUTHORIZED',
  'WITHDRAW_MINIMUM',
  'WITHDRAW_MAXIMUM',
  'BONUS_REMAINING',
  'REQUEST_LIMIT',
  'MONEY_NOT_ENOUGH',
  'PROVIDER_UNAVAILABLE',
] as const;

export const withdrawFromWallet = call({
  method: 'POST',
  path: '/api/wallet/withdraw',
  access: 'member',
  summary: 'Withdraw from the wallet only',
  idempotent: true,
  body: Closed({ amount: Type.Number(refusedAs('WITHDRAW_MINIMUM')) }),
  reply: Receipt,
  refusals: withdrawRefusals,
});

export const withdrawAll = call({
  method: 'POST',
  path: '/api/wallet/withdrawAll',
  access: 'member',
  summary: 'Withdraw, bringing game balances home as needed',
  idempotent: true,
  body: Closed({ amount: Type.Number(refusedAs('WITHDRAW_MINIMUM')) }),
  reply: Receipt,
  refusals: [...withdrawRefusals, 'TRANSFER_FAIL'],
});

/**
 * A link that was used here is refused as TRUELINK_DUPLICATE. Where the caller used it themselves, `data.own` is the id of
 * that row in their statement: the money is there, or its outcome is being resolved.
 */
export const truelink = call({
  method: 'POST',
  path: '/api/wallet/truelink',
  access: 'member',
  summary:
    'Take a gift link into the wallet. TRUELINK_DUPLICATE names in `data.own` the row of the statement where the caller used the link themselves',
  idempotent: true,
  body: Closed({
    link: Text(2048, 0, {
      ...refusedAs('TRUELINK_INVALID'),
      description: "Text with one gift link, plain or as the member app's cipher text.",
    }),
  }),
  reply: Receipt,
  refusals: [
    'NO_BANK',
    'REQUEST_LIMIT',
    'TRUELINK_INVALID',
    'TRUELINK_DUPLICATE',
    'PROVIDER_UNAVAILABLE',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
  ],
});

const launchReply = Closed({ link: Type.String({ description: 'Opens the game once, within 60 s.' }) });
const launchRefusals = [
  'NO_GAME',
  'SELF_EXCLUDED',
  'LIMIT_REACHED',
  'SLOT_NO_ACCOUNT',
  'NO_USER',
  'REQUEST_LIMIT',
  'NOT_AREASLOT',
  'NOT_UFABET',
  'LOGIN_FAIL',
  'PROVIDER_UNAVAILABLE',
] as const;

export const autoLogin = call({
  method: 'GET',
  path: '/api/autoLogin/{game}/{username}',
  access: 'member',
  summary: 'A one-use link into a game',
  sideEffect: true,
  params: Closed({ game: Text(40), username: Text(80) }),
  reply: launchReply,
  refusals: launchRefusals,
});

export const autoLoginWithPassword = call({
  method: 'GET',
  path: '/api/autoLogin/{game}/{username}/{password}',
  access: 'member',
  summary: 'The same, with the game password checked',
  sideEffect: true,
  params: Closed({ game: Text(40), username: Text(80), password: Text(80) }),
  reply: launchReply,
  refusals: launchRefusals,
});
