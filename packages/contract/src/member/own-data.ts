import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Closed, Message } from './schemas.ts';

export const closeAccount = call({
  method: 'POST',
  path: '/api/account/close',
  access: 'member',
  summary:
    'Close the own account for good, once nothing is left or open in it. In data.open INVALID_REQUEST names what is: wallet, games, entries (not yet final), qr. From then on every call and every login is gone; phone and bank account stay taken',
  body: Closed({ password: Type.String({ minLength: 1, maxLength: 200 }) }),
  reply: Message,
  refusals: ['INVALID_REQUEST', 'WRONG_PASSWORD', 'REQUEST_LIMIT', 'PROVIDER_UNAVAILABLE'],
});
