import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Closed, CodeRequestId, Message, Text } from './schemas.ts';

export const sendPasswordCode = call({
  method: 'POST',
  path: '/api/password/send',
  access: 'public',
  summary:
    "Send a one-time code for a new password; the answer is the same whether the phone is a member's or not",
  body: Closed({ phoneNumber: Text(40), requestId: CodeRequestId }),
  reply: Closed({
    otpRef: Type.String(),
    otpToken: Type.String(),
    expiresIn: Type.Integer({ description: 'Seconds the code is good for.' }),
  }),
  refusals: [
    'PHONE_NUMBER_REQUIRE_10_DIGIT',
    'INVALID_USER_INFO',
    'OTP_BLOCK',
    'REQUEST_LIMIT_1MIN',
    'REQUEST_LIMIT',
  ],
});

export const verifyPasswordCode = call({
  method: 'POST',
  path: '/api/password/verify',
  access: 'public',
  summary: 'Check the one-time code for a new password',
  body: Closed({ otpToken: Text(200), otpCode: Text(20) }),
  reply: Closed({ code: Type.Literal('OTP_CODE_VALID') }),
  refusals: ['OTP_TOKEN_INVALID', 'OTP_NOT_EXIST', 'OTP_BLOCK', 'OTP_EXPIRED', 'OTP_CODE_INVALID'],
});

export const resetPassword = call({
  method: 'POST',
  path: '/api/password/reset',
  access: 'public',
  summary: 'Set a new password with a verified code, once; every session of the member ends',
  body: Closed({ otpToken: Text(200), newPassword: Type.String({ minLength: 1, maxLength: 200 }) }),
  reply: Message,
  refusals: ['OTP_TOKEN_INVALID', 'OTP_NOT_EXIST', 'UNVERIFIED_OTP', 'OTP_EXPIRED', 'WEAK_PASSWORD'],
});
