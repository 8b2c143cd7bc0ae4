import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { BankAccount, Closed, CodeRequestId, Message, Nullable, Text, Timestamp } from './schemas.ts';

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
      description: 'The least age the person confirmed, as asked by the form; recorded with the time.',
    }),
  ),
};
const bank = { bankCode: Text(20), bankAccountName: Text(200), bankAccountNo: Text(40) };

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
    'EXISTING_USER',
    'INVALID_USER_INFO',
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
  body: Closed({ ...registration, ...bank }),
  reply: Closed({ _id: Type.String(), username: Type.String() }),
  refusals: [
    'REGISTER_FAIL',
    'PHONE_NUMBER_REQUIRE_10_DIGIT',
    'UNVERIFIED_OTP',
    'INVALID_USER_INFO',
    'INVALID_BANK',
    'BANK_ACCOUNT_NAME_ENG',
    'EXISTING_USER',
    'EXISTING_BANK',
  ],
});

export const readProfile = call({
  method: 'GET',
  path: '/api/account/profile',
  access: 'member',
  summary: "The member's profile and bank account",
  reply: Closed(
    {
      profile: Closed({
        _id: Type.String(),
        username: Type.String(),
        name: Type.String(),
        createdAt: Timestamp,
      }),
      bankAccount: BankAccount,
      /** The newest request for another account, while it waits or was not granted. */
      bankAccountRequest: Nullable(
        Closed({
          status: Type.Union([Type.Literal('PENDING'), Type.Literal('REFUSED'), Type.Literal('LAPSED')]),
          bankCode: Type.String(),
          bankAccountName: Type.String(),
          bankAccountNo: Type.String({ description: 'Masked: only the last four digits are real.' }),
          createdAt: Timestamp,
        }),
      ),
      payoutsFrom: Nullable(
        Type.String({ description: 'When withdrawals to a new account are first paid; null when they are.' }),
      ),
      coolingHours: Type.Optional(
        Type.Number({
          minimum: 0,
          description: 'Hours between the approval of another account and the first payout to it.',
        }),
      ),
    },
    { $id: 'Profile' },
  ),
});

export const changeProfile = call({
  method: 'PUT',
  path: '/api/account/profile',
  access: 'member',
  summary:
    'Change the name at once, and ask for another bank account; the old one is paid until an operator agrees',
  body: Closed({ name: Text(200), ...bank }),
  reply: Closed({
    status: Type.Union([Type.Literal('SUCCESS'), Type.Literal('PENDING')], {
      description: 'PENDING: the bank account waits for an operator.',
    }),
  }),
  refusals: ['INVALID_USER_INFO', 'INVALID_BANK', 'BANK_ACCOUNT_NAME_ENG', 'EXISTING_BANK', 'REQUEST_LIMIT'],
});

export const correctAccountName = call({
  method: 'PUT',
  path: '/api/account/bankAccountName',
  access: 'member',
  summary: 'Write the name of an own account in English, where its bank demands it and it is not',
  body: Closed({ bankCode: Text(20), bankAccountName: Text(200) }),
  reply: Message,
  refusals: ['INVALID_USER_INFO', 'INVALID_BANK', 'BANK_ACCOUNT_NAME_ENG'],
});

export const changePassword = call({
  method: 'PUT',
  path: '/api/account/changepwd',
  access: 'member',
  summary: 'Change the password and end other sessions',
  body: Closed({
    oldPassword: Type.String({ minLength: 1, maxLength: 200 }),
    newPassword: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  reply: Message,
  refusals: ['WRONG_PASSWORD'],
});

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

export const login = call({
  method: 'POST',
  path: '/api/login',
  access: 'public',
  summary: 'Log in',
  body: Closed({ username: Text(40), password: Type.String({ maxLength: 200 }) }),
  reply: Closed({ token: Type.String() }),
  refusals: ['REQUEST_LIMIT', 'WRONG_CREDENTIAL', 'INACTIVE_USER', 'gone'],
});

export const logout = call({
  method: 'POST',
  path: '/api/logout',
  access: 'member',
  summary: 'End this session',
  reply: Message,
});
