/** SMS gateway: plain text out, delivery state back. Headers `api_key` and `secret_key`. */
import { Type } from 'typebox';

/** POST /v1/messages */
export const SendRequest = Type.Object({ sender: Type.String(), to: Type.String(), text: Type.String() });
export const DeliveryState = Type.Union([
  Type.Literal('QUEUED'),
  Type.Literal('DELIVERED'),
  Type.Literal('FAILED'),
]);
export const SendReply = Type.Object({
  code: Type.String({ description: '"000" is success.' }),
  result: Type.Object({ id: Type.String(), state: DeliveryState }),
});
/** GET /v1/messages/{id}, POST /v1/messages/{id}/resend : SendReply. GET /v1/credit */
export const CreditReply = Type.Object({
  code: Type.String(),
  result: Type.Object({ credit: Type.Integer() }),
});
/** Any refusal: code "107" bad number, "1004" credentials, "400" no credit. */
export const FailReply = Type.Object({ code: Type.String(), message: Type.String() });
