import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Closed, Message } from './schemas.ts';

const Pin = Type.String({ pattern: '^\\d{6}$', maxLength: 6, description: 'Six digits.' });
const Password = Type.String({ minLength: 1, maxLength: 200 });

export const setPin = call({
  method: 'PUT',
  path: '/api/account/pin',
  access: 'member',
  summary: 'Demand a PIN before every withdrawal, or change it; needs the password',
  body: Closed({ password: Password, pin: Pin }),
  reply: Message,
  refusals: ['WRONG_PASSWORD', 'REQUEST_LIMIT'],
});

export const removePin = call({
  method: 'POST',
  path: '/api/account/pin/remove',
  access: 'member',
  summary: 'Demand no PIN any more; needs the password. Without one nothing changes',
  body: Closed({ password: Password }),
  reply: Message,
  refusals: ['WRONG_PASSWORD', 'REQUEST_LIMIT'],
});

export const provePin = call({
  method: 'POST',
  path: '/api/account/pin/prove',
  access: 'member',
  summary:
    'Prove the PIN: this session may withdraw for five minutes. Five wrong ones in a quarter of an hour, then REQUEST_LIMIT. Without a PIN there is nothing to prove, which is OK',
  body: Closed({ pin: Pin }),
  reply: Message,
  refusals: ['WRONG_PASSWORD', 'REQUEST_LIMIT'],
});
