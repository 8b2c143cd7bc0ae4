import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { refusedAs } from '../shared/schemas.ts';
import { Amount, Closed, Nullable, Text } from './schemas.ts';

const params = Closed({ bankCode: Text(20) });

const QrState = Closed(
  {
    qrcodeId: Nullable(Type.String()),
    hasQrcode: Type.Boolean(),
    qrcode: Nullable(Type.String({ description: 'SVG markup.' })),
    payload: Nullable(Type.String({ description: 'The EMVCo text the picture holds.' })),
    reference: Nullable(Type.String()),
    amount: Amount,
    expireIn: Type.Integer({ description: 'Seconds left.' }),
    message: Nullable(Type.String({ description: 'A code; QR_FAIL when the bank could not make one.' })),
    /** The last QR of this bank and the deposit that paid it; absent when it was not paid. */
    paid: Type.Optional(Closed({ qrcodeId: Type.String(), id: Type.String(), amount: Amount })),
  },
  { $id: 'QrState' },
);

export const readQr = call({
  method: 'GET',
  path: '/api/qrcode/{bankCode}',
  access: 'member',
  summary: 'The open QR of this bank, if any; without one, how the last one was paid',
  params,
  reply: QrState,
  refusals: ['NO_BANK'],
});
export const createQr = call({
  method: 'POST',
  path: '/api/qrcode/{bankCode}',
  access: 'member',
  summary: 'Make a QR; any other open one is cancelled',
  params,
  body: Closed({ amount: Type.Number(refusedAs('TRANSFER_MINIMUM')) }),
  reply: QrState,
  refusals: [
    'NO_BANK',
    'TRANSFER_MINIMUM',
    'TRANSFER_MAXIMUM',
    'REQUEST_LIMIT',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
  ],
});
export const cancelQr = call({
  method: 'DELETE',
  path: '/api/qrcode/{bankCode}',
  access: 'member',
  summary: 'Cancel the open QR; a payment already made still counts',
  params,
  reply: QrState,
  refusals: ['NO_BANK'],
});
