import { type Currency, toMinor } from '@krapao/contract/shared';
import { fitsSetting, SETTING_DEFAULTS, type SettingKey } from '../../platform/settings.ts';

type Group =
  | 'stop'
  | 'access'
  | 'deposit'
  | 'withdraw'
  | 'risk'
  | 'game'
  | 'promotion'
  | 'member'
  | 'operators';
type Unit =
  | 'seconds'
  | 'minutes'
  | 'hours'
  | 'days'
  | 'years'
  | 'percent'
  | 'megabytes'
  | 'points'
  | 'multiple';
type Kind = 'switch' | 'service' | 'money' | 'number' | 'hours';

/** Switches that stop a part of the service, the whole of it last. */
const STOPS: readonly SettingKey[] = [
  'deposit.open',
  'withdraw.open',
  'game.open',
  'register.open',
  'service.terminated',
];
/** The group of a setting, by the first word of its key. */
const GROUPS: Record<string, Group> = {
  account: 'withdraw',
  bank: 'deposit',
  bonus: 'promotion',
  coin: 'promotion',
  coupon: 'promotion',
  deposit: 'deposit',
  desk: 'operators',
  feed: 'deposit',
  file: 'deposit',
  game: 'game',
  gift: 'deposit',
  invite: 'promotion',
  login: 'access',
  marker: 'access',
  otp: 'access',
  password: 'access',
  qr: 'deposit',
  refresh: 'game',
  refund: 'promotion',
  register: 'access',
  risk: 'risk',
  session: 'access',
  slip: 'deposit',
  sms: 'access',
  unknown: 'game',
  wheel: 'promotion',
  withdraw: 'withdraw',
};
const UNITS: readonly [RegExp, Unit][] = [
  [/seconds$/i, 'seconds'],
  [/minutes$/i, 'minutes'],
  [/hours$/i, 'hours'],
  [/days$/i, 'days'],
  [/megabytes$/i, 'megabytes'],
  [/\.age$/i, 'years'],
  [/percent$/i, 'percent'],
  [/(points|score)$/i, 'points'],
  [/Times$/, 'multiple'],
];
const NUMBER_MAX = 1_000_000;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const kindOf = (key: SettingKey): Kind => {
  const model: unknown = SETTING_DEFAULTS[key];
  if (key === 'service.terminated') return 'service';
  if (Array.isArray(model)) return 'hours';
  if (typeof model === 'object') return 'money';
  return typeof model === 'boolean' ? 'switch' : 'number';
};

/** The description of a setting for operators. */
export function describeSetting(key: SettingKey): {
  group: Group;
  kind: Kind;
  unit: Unit | null;
  needsChecker: boolean;
} {
  const kind = kindOf(key);
  const unit = UNITS.find(([name]) => name.test(key))?.[1] ?? null;
  return {
    group: STOPS.includes(key) ? 'stop' : (GROUPS[key.split('.')[0]!] ?? 'member'),
    kind,
    unit: kind === 'number' ? unit : null,
    needsChecker: key === 'service.terminated' || isChecked(key),
  };
}

/** Settings in the order of the page: switches first, then as the defaults stand. */
export const settingKeys = (): SettingKey[] => [
  ...STOPS,
  ...(Object.keys(SETTING_DEFAULTS) as SettingKey[]).filter((key) => !STOPS.includes(key)),
];

/**
 * Settings of second approvals need two operators, as do those that pay or protect outgoing money: how much leaves
 * without a review, how much invites and refunds pay and under which conditions, which deposits back a bonus, how long a new bank account waits, the risk score, how soon a payout the bank has not seen is given back,
 * and the guesses at an operator's second factor (who would then be both persons) and at the code that opens a member's
 * account. How long sessions, links and codes live is not among them: none of it alone opens a way out.
 */
const CHECKED: readonly SettingKey[] = [
  'withdraw.maximum',
  'withdraw.automaticMax',
  'withdraw.automaticDayMax',
  'withdraw.playedTimes',
  'withdraw.verifiedFrom',
  'account.coolingHours',
  'unknown.absentGraceSeconds',
  'login.failuresMax',
  'login.windowMinutes',
  'otp.triesMax',
  'desk.makerChecker',
  'desk.entryMax',
  'desk.coinMax',
  'coin.deposit',
  'coin.dayMax',
  'desk.withdrawalMax',
  'desk.approvalHours',
  'invite.percent',
  'invite.most',
  'invite.betTimes',
  'invite.successPercent',
  'invite.failPercent',
  'invite.barDevice',
  'invite.barAddress',
  'refund.percent',
  'refund.most',
  'refund.dayMax',
  'refund.balanceMax',
  'refund.successPercent',
  'refund.failPercent',
  'bonus.depositHours',
  'slip.windowMinutes',
];

const isChecked = (key: SettingKey): boolean => CHECKED.includes(key) || key.startsWith('risk.');

/** Whether a second person must agree: to ending the service, never to taking it up again. */
export const needsChecker = (key: SettingKey, value: unknown): boolean =>
  isChecked(key) || (key === 'service.terminated' && value !== false);

/** Spans and sizes that may be none: no time to undo, no end of idle sessions, no files. */
const NO_SPAN: readonly SettingKey[] = ['desk.undoSeconds', 'session.idleDays', 'chat.dayMegabytes'];

/**
 * What is counted may be none, a run may be won or lost by no balance; a span of time or a share may not, but for a few.
 */
const mayBeNone = (key: SettingKey, unit: Unit | null): boolean =>
  unit === null ||
  unit === 'multiple' ||
  unit === 'points' ||
  /\.(success|fail)Percent$/.test(key) ||
  NO_SPAN.includes(key);

type PerCurrency = Record<string, number>;

/** Whether money can be held to an amount: none, or one that minor units can express. */
const isMoney = (amount: number, currency: Currency): boolean =>
  amount === 0 || toMinor(amount, currency) !== null;
const isBelow = (least: unknown, most: unknown): boolean =>
  Object.entries(least as PerCurrency).every(([part, amount]) => amount <= (most as PerCurrency)[part]!);
/** Pairs of which the first may not be above the second. */
const PAIRS: readonly (readonly [SettingKey, SettingKey])[] = [
  ['withdraw.minimum', 'withdraw.maximum'],
  ['withdraw.automaticMax', 'withdraw.maximum'],
];

/**
 * What of a value cannot be worked with, in English; null when nothing: its shape, whole numbers for counts, amounts
 * that the currency's minor units can express, and no least amount above the most. `now` reads the other settings.
 */
export function settingProblem(
  key: SettingKey,
  value: unknown,
  now: (key: SettingKey) => unknown,
): string | null {
  if (!fitsSetting(key, value)) return 'does not take this value';
  const { kind, unit } = describeSetting(key);
  if (kind === 'hours') {
    const windows = value as { from: string; to: string }[];
    const isPlain = windows.every((row) => Object.keys(row).toSorted().join() === 'from,to');
    const areTimes = windows.every(({ from, to }) => TIME.test(from) && TIME.test(to));
    return isPlain && areTimes && windows.length <= 10 ? null : 'takes at most ten spans of HH:MM';
  }
  if (kind === 'number') {
    const count = value as number;
    const least = mayBeNone(key, unit) ? 0 : 1;
    if (Number.isInteger(count) && count >= least && count <= NUMBER_MAX) return null;
    return `takes whole numbers from ${least} to ${NUMBER_MAX}`;
  }
  if (kind !== 'money') return null;
  const { BAHT, LAK, ...rest } = value as PerCurrency;
  if (Object.keys(rest).length > 0 || !isMoney(BAHT!, 'BAHT') || !isMoney(LAK!, 'LAK'))
    return 'takes amounts of BAHT with two decimals and of LAK with none';
  const crossed = PAIRS.find(
    ([least, most]) =>
      (key === least || key === most) &&
      !isBelow(key === least ? value : now(least), key === most ? value : now(most)),
  );
  return crossed ? `would leave ${crossed[0]} above ${crossed[1]}` : null;
}

/** Whether a value can be worked with, see settingProblem. */
export const isSensible = (key: SettingKey, value: unknown, now: (key: SettingKey) => unknown): boolean =>
  settingProblem(key, value, now) === null;
