import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { bankAccountFields, Closed, CodeRequestId, Message, Nullable, Text } from './schemas.ts';

const registration = {
  name: Text(200),
  username: Text(40),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  sourceCode: Text(40),
  inviteCode: Type.Optional(Text(80)),
  currency: Type.Optional(Type.Union([Type.Literal('BAHT'), Type.Literal('LAK')])),
  age: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 150,
      description: 'The least age the person confirmed, as the form required it; recorded with the time.',
    }),
  ),
};

export const validateRegistration = call({
  method: 'POST',
  path: '/api/account/validate',
  access: 'public',
  summary: 'Check a registration before the bank step',
  body: Closed({
    ...registration,
    bankCode: Type.Optional(Text(20)),
    bankAccountName: Type.Optional(Text(200)),
    bankAccountNo: Type.Optional(Text(40)),
  }),
  reply: Message,
  refusals: [
    'REGISTER_FAIL',
    'PHONE_NUMBER_REQUIRE_10_DIGIT',
    'UNVERIFIED_OTP',
    'INVALID_USER_INFO',
    'WEAK_PASSWORD',
    'EXISTING_USER',
    'INVALID_BANK',
    'BANK_ACCOUNT_NAME_ENG',
    'EXISTING_BANK',
  ],
});

export const register = call({
  method: 'POST',
  path: '/api/account',
  access: 'public',
  summary: 'Register a member',
  body: Closed({ ...registration, ...bankAccountFields }),
  reply: Closed({ _id: Type.String(), username: Type.String() }),
  refusals: [
    'REGISTER_FAIL',
    'PHONE_NUMBER_REQUIRE_10_DIGIT',
    'UNVERIFIED_OTP',
    'INVALID_USER_INFO',
    'WEAK_PASSWORD',
    'INVALID_BANK',
    'BANK_ACCOUNT_NAME_ENG',
    'EXISTING_USER',
    'EXISTING_BANK',
  ],
});

export const sendOtp = call({
  method: 'POST',
  path: '/api/otp/send',
  access: 'public',
  summary: 'Send a one-time code by SMS, in the language of the caller',
  body: Closed({ phoneNumber: Text(40), requestId: CodeRequestId }),
  reply: Closed({
    otpRef: Nullable(Type.String()),
    otpToken: Nullable(Type.String()),
    expiresIn: Nullable(Type.Integer({ description: 'Seconds the code is good for.' })),
    code: Type.Union([Type.Literal('SUCCESS'), Type.Literal('OTP_VERIFIED')]),
  }),
  refusals: [
    'REGISTER_FAIL',
    'PHONE_NUMBER_REQUIRE_10_DIGIT',
    'INVALID_USER_INFO',
    'OTP_BLOCK',
    'REQUEST_LIMIT_1MIN',
    'REQUEST_LIMIT',
    'OTP_SEND_FAIL',
  ],
});

export const verifyOtp = call({
  method: 'POST',
  path: '/api/otp/verify',
  access: 'public',
  summary: 'Check a one-time code',
  body: Closed({ otpToken: Text(200), otpCode: Text(20) }),
  reply: Closed({ code: Type.Literal('OTP_CODE_VALID') }),
  refusals: [
    'OTP_TOKEN_INVALID',
    'OTP_NOT_EXIST',
    'OTP_BLOCK',
    'OTP_EXPIRED',
    'OTP_CODE_INVALID',
    'OTP_VERIFY_FAIL',
  ],
});
