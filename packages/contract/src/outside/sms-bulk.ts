/** SMS gateway of ThaiBulkSMS' shape (API v2): one text to one number or several. HTTP Basic with key and secret. */
import { Type } from 'typebox';

/** POST /sms */
export const SendRequest = Type.Object({
  msisdn: Type.String({ description: 'Number with its country code, without a plus.' }),
  message: Type.String(),
  sender: Type.String(),
  force: Type.Optional(Type.Union([Type.Literal('standard'), Type.Literal('corporate')])),
});
export const SendReply = Type.Object({
  remaining_credit: Type.Number(),
  total_use_credit: Type.Number(),
  credit_type: Type.String(),
  phone_number_list: Type.Array(
    Type.Object({ number: Type.String(), message_id: Type.String(), used_credit: Type.Number() }),
  ),
  bad_phone_number_list: Type.Array(Type.Object({ number: Type.String(), message: Type.String() })),
});
/** Any refusal. */
export const FailReply = Type.Object({
  error: Type.Object({ code: Type.Integer(), name: Type.String(), description: Type.String() }),
});
