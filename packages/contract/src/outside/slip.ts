/**
 * Slip-checking services in two vendors' shapes: SlipOK (api/line/apikey/{branch}) and EasySlip (api/v1/verify). Both
 * take the text of a slip's mini QR and tell the transfer behind it. Shapes as their public pages and client libraries
 * show them; only what is used is declared.
 */
import { Type } from 'typebox';

const maybe = Type.Optional;

const SlipOkParty = Type.Object({
  displayName: maybe(Type.String()),
  name: maybe(Type.String()),
  proxy: maybe(Type.Object({ type: maybe(Type.String()), value: maybe(Type.String()) })),
  account: maybe(
    Type.Object({ type: maybe(Type.String()), value: maybe(Type.String({ description: 'Masked.' })) }),
  ),
});

/** POST /api/line/apikey/{branch}, header x-authorization, JSON. */
export const SlipOkRequest = Type.Object({ data: Type.String(), log: maybe(Type.Boolean()) });
export const SlipOkReply = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    transRef: Type.String(),
    sendingBank: Type.String({ description: 'BOT code.' }),
    receivingBank: Type.String(),
    transDate: Type.String({ description: 'yyyyMMdd, Bangkok.' }),
    transTime: Type.String({ description: 'HH:mm:ss, Bangkok.' }),
    transTimestamp: maybe(Type.String({ description: 'ISO 8601.' })),
    sender: SlipOkParty,
    receiver: SlipOkParty,
    amount: Type.Number({ description: 'Baht.' }),
    ref1: maybe(Type.String()),
  }),
});
/** 1000–1014; `data` of 1010 says after how many minutes the bank will know. */
export const SlipOkError = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: maybe(Type.Object({ delay: maybe(Type.Number({ description: 'Minutes.' })) })),
});

const EasySlipParty = Type.Object({
  bank: Type.Object({ id: maybe(Type.String({ description: 'BOT code.' })), short: maybe(Type.String()) }),
  account: Type.Object({
    name: Type.Object({ th: maybe(Type.String()), en: maybe(Type.String()) }),
    bank: maybe(Type.Object({ type: Type.String(), account: Type.String({ description: 'Masked.' }) })),
    proxy: maybe(Type.Object({ type: Type.String(), account: Type.String() })),
  }),
});

/** GET /api/v1/verify?payload=, bearer key. */
export const EasySlipReply = Type.Object({
  status: Type.Literal(200),
  data: Type.Object({
    payload: Type.String(),
    transRef: Type.String(),
    date: Type.String({ description: 'ISO 8601.' }),
    amount: Type.Object({ amount: Type.Number({ description: 'Baht.' }) }),
    ref1: maybe(Type.String()),
    sender: EasySlipParty,
    receiver: EasySlipParty,
  }),
});
/** `message` is a code such as slip_not_found. */
export const EasySlipError = Type.Object({ status: Type.Integer(), message: Type.String() });
