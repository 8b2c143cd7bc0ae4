/**
 * Games style F: form-encoded agent API, one agent per game. Headers `x-api-key` and `x-api-cat`. Amounts are
 * decimal credits with two decimals; a transfer is signed, positive into the game. Transfers are once-only by
 * `ref`: a repeat answers the first result.
 */
import { Type } from 'typebox';

/** Every reply: status "success" with data, or "error" with error_code. */
export const ErrorReply = Type.Object({
  status: Type.Literal('error'),
  error_code: Type.Integer(),
  msg: Type.String(),
});

/** error_code values of refusals: such a request was not carried out. Another code proves nothing about a transfer. */
export const ERROR = {
  USER_EXISTS: 1001,
  USER_NOT_FOUND: 1002,
  BAD_PASSWORD: 1003,
  BAD_USERNAME: 1004,
  NOT_ENOUGH_CREDIT: 2001,
  AGENT_CREDIT_EMPTY: 2002,
  REF_NOT_FOUND: 2004,
  BAD_AMOUNT: 2005,
  REF_USED: 2006,
  MAINTENANCE: 9001,
  BAD_KEY: 9003,
  BAD_REQUEST: 9004,
} as const;

const success = <P extends Parameters<typeof Type.Object>[0]>(data: P) =>
  Type.Object({ status: Type.Literal('success'), data: Type.Object(data) });

/** POST v4/user/register {username, password} */
export const RegisterReply = success({ username: Type.String() });
/** POST v4/user/balance {username} : outstanding is money in open bets. */
export const BalanceReply = success({
  username: Type.String(),
  balance: Type.String(),
  outstanding: Type.String(),
});
/** POST v4/user/transfer {username, amount, ref} */
export const TransferReply = success({ ref: Type.String(), amount: Type.String(), balance: Type.String() });
/** POST v4/user/transfer/status {ref} : REF_NOT_FOUND when it never happened. */
export const TransferStatusReply = success({
  ref: Type.String(),
  username: Type.String(),
  amount: Type.String(),
  state: Type.Literal('DONE'),
});
/** POST v4/user/password {username, password} */
export const PasswordReply = success({ username: Type.String() });
/** POST v4/play/login {username, lang, returnUrl} : a link that works once, for 60 s. */
export const PlayReply = success({ url: Type.String() });
/** POST v4/report/summary {username, start, end} : decimal credits. */
export const SummaryReply = success({ turnover: Type.String(), winloss: Type.String() });
/** POST v4/agent/balance */
export const AgentBalanceReply = success({ balance: Type.String() });
