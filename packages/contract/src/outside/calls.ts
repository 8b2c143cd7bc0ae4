/** Lists every call between the product and its partners: requests, responses and notifications. */
import { type TSchema, Type } from 'typebox';
import * as bankA from './bank-a.ts';
import * as bankB from './bank-b.ts';
import * as gameF from './game-f.ts';
import * as gameJ from './game-j.ts';
import * as gateway from './gateway.ts';
import * as gift from './gift.ts';
import * as slip from './slip.ts';
import * as sms from './sms.ts';
import * as smsBulk from './sms-bulk.ts';

export interface OutsideCall {
  /** The shape's name, as settings and adapters use it. */
  dialect: string;
  name: string;
  /** The direction: the product calls a partner, or a partner notifies the product. */
  by: 'product' | 'partner';
  method: 'GET' | 'POST';
  /** Path below the partner's address; for notifications, below ours. */
  path: string;
  summary: string;
  /** How a body travels. Default: JSON. */
  form?: true;
  /** Header that authenticates the sender. */
  proof: string;
  query?: TSchema;
  body?: TSchema;
  reply: TSchema;
  /** What a definite no looks like. */
  refusal: TSchema;
}

const { Object: Shape, String: Text } = Type;

const bankACalls: OutsideCall[] = (
  [
    {
      name: 'token',
      method: 'POST',
      path: '/v1/oauth/token',
      summary: 'A bearer token for the other calls',
      body: bankA.TokenRequest,
      reply: bankA.TokenReply,
    },
    {
      name: 'create-qr',
      method: 'POST',
      path: '/v1/payment/qrcode/create',
      summary: 'The text of a bill-payment QR for exactly this amount and reference',
      body: bankA.CreateQrRequest,
      reply: bankA.CreateQrReply,
    },
    {
      name: 'inquiry',
      method: 'GET',
      path: '/v1/payment/billpayment/inquiry',
      summary: 'Every payment received under a reference',
      query: Shape({ billerId: Text(), reference1: Text() }),
      reply: bankA.InquiryReply,
    },
    {
      name: 'transaction',
      method: 'GET',
      path: '/v1/payment/transactions/{transRef}',
      summary: "One payment by the bank's reference",
      reply: bankA.TransactionReply,
    },
    {
      name: 'payout',
      method: 'POST',
      path: '/v1/payout',
      summary: 'Pay an account; once-only by reference',
      body: bankA.PayoutRequest,
      reply: bankA.PayoutReply,
    },
    {
      name: 'payout-status',
      method: 'GET',
      path: '/v1/payout/{reference}',
      summary: 'The state of a payout',
      reply: bankA.PayoutReply,
    },
    {
      name: 'statement',
      method: 'GET',
      path: '/v1/account/statement',
      summary: 'What moved on our account in a span of time',
      query: Shape({ billerId: Text(), from: Text(), to: Text(), cursor: Type.Optional(Text()) }),
      reply: bankA.StatementReply,
    },
  ] as const
).map((call) => ({
  ...call,
  dialect: 'bank-a',
  by: 'product',
  proof: 'authorization: Bearer (the token call has none)',
  refusal: bankA.StatusOnlyReply,
}));

const game = (name: string, path: string, summary: string, body: TSchema, reply: TSchema): OutsideCall => ({
  dialect: 'game-f',
  name,
  by: 'product',
  method: 'POST',
  path: `/{agent}/v4/${path}`,
  summary,
  form: true,
  proof: 'x-api-key, x-api-cat',
  body,
  reply,
  refusal: gameF.ErrorReply,
});

const username = { username: Text() };
const credentials = Shape({ ...username, password: Text() });

const gameFCalls: OutsideCall[] = [
  game('register', 'user/register', 'Open an account', credentials, gameF.RegisterReply),
  game('balance', 'user/balance', 'Credits, and what lies in open bets', Shape(username), gameF.BalanceReply),
  game(
    'transfer',
    'user/transfer',
    'Move credits, positive into the game; once-only by ref',
    Shape({ ...username, amount: Text(), ref: Text() }),
    gameF.TransferReply,
  ),
  game(
    'transfer-status',
    'user/transfer/status',
    'Whether a transfer happened',
    Shape({ ref: Text() }),
    gameF.TransferStatusReply,
  ),
  game(
    'agent-balance',
    'agent/balance',
    "What is left of the agent's credit",
    Shape({}),
    gameF.AgentBalanceReply,
  ),
  game('password', 'user/password', 'Set a new password', credentials, gameF.PasswordReply),
  game(
    'play',
    'play/login',
    'A link that logs in once',
    Shape({ ...username, lang: Text(), returnUrl: Text() }),
    gameF.PlayReply,
  ),
  game(
    'summary',
    'report/summary',
    'What a player staked and won in a span of time',
    Shape({ ...username, start: Text(), end: Text() }),
    gameF.SummaryReply,
  ),
];

const gameJCalls: OutsideCall[] = (
  [
    ['create', 'players', 'Open an account', gameJ.CreateRequest, gameJ.CreateReply],
    ['credit', 'credit', 'Credits, and what lies in open bets', gameJ.PlayerRequest, gameJ.CreditReply],
    ['deposit', 'deposit', 'Move credits into the game; once-only', gameJ.MoveRequest, gameJ.MoveReply],
    ['withdraw', 'withdraw', 'Move credits out of the game; once-only', gameJ.MoveRequest, gameJ.MoveReply],
    ['transaction', 'transaction', 'Whether a move happened', gameJ.CheckRequest, gameJ.MoveReply],
    ['password', 'password', 'Set a new password', gameJ.CreateRequest, gameJ.CreateReply],
    ['launch', 'launch', 'A link that logs in once', gameJ.LaunchRequest, gameJ.LaunchReply],
    ['rounds', 'rounds', 'Rounds in the order they changed', gameJ.RoundsRequest, gameJ.RoundsReply],
  ] as const
).map(([name, path, summary, body, reply]) => ({
  dialect: 'game-j',
  name,
  by: 'product',
  method: 'POST',
  path: `/{agent}/v1/${path}`,
  summary,
  proof: gameJ.SIGNATURE_HEADER,
  body,
  reply,
  refusal: gameJ.ErrorReply,
}));

const byGateway = { dialect: 'gateway', proof: gateway.KEY_HEADER, refusal: gateway.ErrorReply } as const;
const gatewayCalls: OutsideCall[] = [
  {
    ...byGateway,
    name: 'create-payment',
    by: 'product',
    method: 'POST',
    path: '/v1/payments',
    summary: 'A payment with a QR; once-only by reference',
    body: gateway.CreatePaymentRequest,
    reply: gateway.PaymentReply,
  },
  {
    ...byGateway,
    name: 'payment-status',
    by: 'product',
    method: 'GET',
    path: '/v1/payments/{reference}',
    summary: 'The state of a payment, with every transfer under it',
    reply: gateway.PaymentReply,
  },
  {
    ...byGateway,
    name: 'cancel',
    by: 'product',
    method: 'POST',
    path: '/v1/payments/{reference}/cancel',
    summary: 'Cancel a payment that is not paid',
    reply: gateway.PaymentReply,
  },
  {
    ...byGateway,
    name: 'transfers',
    by: 'product',
    method: 'GET',
    path: '/v1/transfers',
    summary: 'Every transfer received in a span of time',
    query: Shape({ from: Text(), to: Text(), cursor: Type.Optional(Text()) }),
    reply: gateway.TransfersReply,
  },
];

const byGift = {
  dialect: 'gift',
  by: 'product',
  proof: 'none: the voucher code is the secret',
  reply: gift.Reply,
  refusal: gift.Reply,
} as const;
const giftCalls: OutsideCall[] = [
  {
    ...byGift,
    name: 'look',
    method: 'GET',
    path: '/campaign/vouchers/{code}/verify',
    summary: 'What a voucher holds, and what a wallet has taken of it',
    query: Shape({ mobile: Text() }),
  },
  {
    ...byGift,
    name: 'redeem',
    method: 'POST',
    path: '/campaign/vouchers/{code}/redeem',
    summary: "Take this wallet's part of a voucher",
    body: gift.RedeemRequest,
  },
  {
    ...byGift,
    name: 'redeemed',
    method: 'GET',
    path: '/campaign/redeemed',
    summary: 'What a wallet has taken in a span of time',
    query: Shape({ mobile: Text(), from: Text(), to: Text(), cursor: Type.Optional(Text()) }),
    reply: gift.RedeemedReply,
  },
];

const otherCalls: OutsideCall[] = [
  {
    dialect: 'bank-b',
    name: 'statement',
    by: 'product',
    method: 'GET',
    path: '/v1/accounts/{accountNo}/statement',
    summary: 'Lines of a watched account after a cursor',
    proof: bankB.KEY_HEADER,
    query: Shape({
      bank: Text(),
      cursor: Type.Optional(Text()),
      since: Type.Optional(Text()),
      limit: Type.Optional(Text()),
    }),
    reply: bankB.StatementReply,
    refusal: bankB.ErrorReply,
  },
  {
    dialect: 'slip-ok',
    name: 'check',
    by: 'product',
    method: 'POST',
    path: '/api/line/apikey/{branch}',
    summary: "The transfer behind a slip's mini QR",
    proof: 'x-authorization',
    body: slip.SlipOkRequest,
    reply: slip.SlipOkReply,
    refusal: slip.SlipOkError,
  },
  {
    dialect: 'easy-slip',
    name: 'check',
    by: 'product',
    method: 'GET',
    path: '/api/v1/verify',
    summary: "The transfer behind a slip's mini QR",
    proof: 'authorization: Bearer',
    query: Shape({ payload: Text() }),
    reply: slip.EasySlipReply,
    refusal: slip.EasySlipError,
  },
  {
    dialect: 'sms',
    name: 'send',
    by: 'product',
    method: 'POST',
    path: '/v1/messages',
    summary: 'Send a text',
    proof: 'api_key, secret_key',
    body: sms.SendRequest,
    reply: sms.SendReply,
    refusal: sms.FailReply,
  },
  {
    dialect: 'sms',
    name: 'credit',
    by: 'product',
    method: 'GET',
    path: '/v1/credit',
    summary: 'How many messages are left',
    proof: 'api_key, secret_key',
    reply: sms.CreditReply,
    refusal: sms.FailReply,
  },
  {
    dialect: 'sms-bulk',
    name: 'send',
    by: 'product',
    method: 'POST',
    path: '/sms',
    summary: 'Send a text',
    proof: 'authorization: Basic',
    body: smsBulk.SendRequest,
    reply: smsBulk.SendReply,
    refusal: smsBulk.FailReply,
  },
];

/** Notifications of partners. All use one signature scheme: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
const hookCalls: OutsideCall[] = [
  {
    dialect: 'bank-a',
    name: 'confirmation',
    by: 'partner',
    method: 'POST',
    path: '/hooks/bank-a/confirmation',
    summary: 'A payment was received; repeated until acknowledged with resCode "00"',
    proof: bankA.SIGNATURE_HEADER,
    body: bankA.Payment,
    reply: bankA.ConfirmationReply,
    refusal: bankA.ConfirmationReply,
  },
  ...(['WW', 'ZAPMAN'] as const).map(
    (name): OutsideCall => ({
      dialect: `gateway-${name.toLowerCase()}`,
      name: 'callback',
      by: 'partner',
      method: 'POST',
      path: `/hooks/gateways/${name.toLowerCase()}`,
      summary: `A transfer arrived at ${name}; repeated until acknowledged`,
      proof: gateway.SIGNATURE_HEADER,
      body: gateway.Callback,
      reply: gateway.CallbackReply,
      refusal: gateway.ErrorReply,
    }),
  ),
];

export const OUTSIDE_CALLS: readonly OutsideCall[] = [
  ...bankACalls,
  ...gameFCalls,
  ...gameJCalls,
  ...gatewayCalls,
  ...giftCalls,
  ...otherCalls,
  ...hookCalls,
];
