/** Bodies and queries of the control API. Amounts are decimal text or numbers, in baht or credits. */
import { Type } from 'typebox';
import { FAULT_KINDS, PARTIES } from '../environment/state.ts';
import { SLIP_KINDS } from '../slips/slips.ts';

const strict = { additionalProperties: false };
const Amount = Type.Union([
  Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,2})?$' }),
  Type.Number({ exclusiveMinimum: 0 }),
]);
const Millis = Type.Integer({ minimum: 0, maximum: 3_153_600_000_000 });
const maybe = Type.Optional;

export const ResetBody = Type.Object({ seed: maybe(Type.Union([Type.Integer(), Type.Null()])) }, strict);
export const SeedBody = Type.Object({ seed: Type.Union([Type.Integer(), Type.Null()]) }, strict);
export const ClockBody = Type.Object(
  {
    freeze: maybe(Type.Boolean()),
    advanceMs: maybe(Type.Integer({ minimum: -3_153_600_000_000, maximum: 3_153_600_000_000 })),
    set: maybe(Type.String({ format: 'date-time' })),
  },
  strict,
);
export const PersonBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 80 }),
    phone: Type.String(),
    bankCode: maybe(Type.String()),
    accountNo: maybe(Type.String()),
    accountName: maybe(Type.String({ minLength: 1, maxLength: 80 })),
    balance: maybe(Amount),
  },
  strict,
);
export const PayQrBody = Type.Object(
  {
    payload: Type.String(),
    fromAccount: maybe(Type.String()),
    phone: maybe(Type.String()),
    amount: maybe(Amount),
    times: maybe(Type.Integer({ minimum: 1, maximum: 10 })),
    delayMs: maybe(Millis),
  },
  strict,
);
export const VoucherBody = Type.Object(
  {
    amount: Amount,
    phone: maybe(Type.String()),
    receivers: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
    kind: maybe(Type.Union([Type.Literal('F'), Type.Literal('R')])),
    validMs: maybe(Millis),
  },
  strict,
);
export const TransferBody = Type.Object(
  {
    fromAccount: maybe(Type.String()),
    phone: maybe(Type.String()),
    toBank: Type.String(),
    toAccount: Type.String(),
    amount: Amount,
    delayMs: maybe(Millis),
  },
  strict,
);
export const SlipBody = Type.Object(
  {
    kind: maybe(Type.Union(SLIP_KINDS.map((kind) => Type.Literal(kind)))),
    transRef: maybe(Type.String()),
    fromAccount: maybe(Type.String()),
    phone: maybe(Type.String()),
    toBank: maybe(Type.String()),
    toAccount: maybe(Type.String()),
    amount: maybe(Amount),
    format: maybe(Type.Union([Type.Literal('png'), Type.Literal('jpeg')])),
  },
  strict,
);
export const PlayBody = Type.Object(
  {
    agent: Type.String(),
    username: Type.String(),
    rounds: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
    result: maybe(Type.Union([Type.Literal('win'), Type.Literal('lose'), Type.Literal('fair')])),
    stake: Amount,
  },
  strict,
);
export const WaitBody = Type.Object(
  {
    for: Type.Union([
      Type.Literal('sms'),
      Type.Literal('confirmation'),
      Type.Literal('payout'),
      Type.Literal('game-transfer'),
      Type.Literal('payment'),
      Type.Literal('push'),
    ]),
    phone: maybe(Type.String()),
    reference: maybe(Type.String()),
    after: maybe(Type.Integer({ minimum: 0 })),
    /** Payouts: PAID and REJECTED unless named. */
    state: maybe(Type.Union([Type.Literal('ACCEPTED'), Type.Literal('PAID'), Type.Literal('REJECTED')])),
    /** Confirmations: only tries with this outcome. */
    acknowledged: maybe(Type.Boolean()),
    timeoutMs: maybe(Type.Integer({ minimum: 0, maximum: 120_000 })),
  },
  strict,
);
export const SettingsBody = Type.Object(
  {
    payoutDelayMs: maybe(Millis),
    payoutMode: maybe(Type.Union([Type.Literal('auto'), Type.Literal('manual')])),
    confirmationIntervalMs: maybe(Millis),
    matchMs: maybe(Millis),
    smsCredit: maybe(Type.Integer({ minimum: 0 })),
    agentCredit: maybe(Type.Object({ agent: Type.String(), amount: Amount }, strict)),
  },
  strict,
);
export const ConfirmBody = Type.Object(
  {
    reference: maybe(Type.String()),
    transRef: maybe(Type.String()),
    forge: maybe(
      Type.Union([
        Type.Literal('wrong-signature'),
        Type.Literal('old-timestamp'),
        Type.Literal('changed-amount'),
      ]),
    ),
    amount: maybe(Amount),
    ageMs: maybe(Millis),
  },
  strict,
);
export const PayoutBody = Type.Object(
  {
    reference: Type.String(),
    state: Type.Union([Type.Literal('PAID'), Type.Literal('REJECTED')]),
    reason: maybe(Type.String({ maxLength: 80 })),
  },
  strict,
);
export const FaultsBody = Type.Object(
  {
    clear: maybe(Type.Union([Type.Boolean(), Type.String()])),
    party: maybe(Type.Union(PARTIES.map((party) => Type.Literal(party)))),
    kind: maybe(Type.Union(FAULT_KINDS.map((kind) => Type.Literal(kind)))),
    call: maybe(Type.String()),
    agent: maybe(Type.String()),
    member: maybe(Type.String()),
    username: maybe(Type.String()),
    reference: maybe(Type.String()),
    count: maybe(Type.Integer({ minimum: 1 })),
    chance: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    ms: maybe(Millis),
    code: maybe(Type.Union([Type.Integer(), Type.String({ maxLength: 40 })])),
  },
  strict,
);
export const LogQuery = Type.Object(
  {
    party: maybe(Type.String()),
    call: maybe(Type.String()),
    reference: maybe(Type.String()),
    after: maybe(Type.Integer()),
    limit: maybe(Type.Integer({ minimum: 1, maximum: 2000 })),
  },
  strict,
);
export const SmsQuery = Type.Object({ phone: Type.String() }, strict);
/** A browser subscribes on a phone, for one sender or any; or the named one goes for good. */
export const PushBody = Type.Object(
  { phone: maybe(Type.String()), key: maybe(Type.String()), gone: maybe(Type.String()) },
  strict,
);
export const PushQuery = Type.Object({ phone: Type.String() }, strict);
export const MisprintBody = Type.Object(
  {
    party: Type.Union(PARTIES.map((party) => Type.Literal(party))),
    reference: Type.String({ minLength: 1, maxLength: 100 }),
    /** What is shown instead; without it the line is left out. */
    amount: maybe(Amount),
    restore: maybe(Type.Boolean()),
  },
  strict,
);
