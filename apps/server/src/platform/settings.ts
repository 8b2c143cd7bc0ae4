import type { Currency } from '@krapao/contract/shared';
import type { Db, Pool } from './database/db.ts';
import { listen } from './listen.ts';

type PerCurrency = Readonly<Record<Currency, number>>;

/** LAK defaults are 700 times the baht ones. */
const baht = (amount: number): PerCurrency => ({ BAHT: amount, LAK: amount * 700 });

/**
 * What operators may change while the product runs, with the defaults. Amounts are in wallet currency, times in the
 * unit their name ends with. A row in table `setting` overrides the default and reaches every instance at once.
 */
export const SETTING_DEFAULTS = {
  /** false: running. "gone": the service has ended. */
  'service.terminated': false as false | 'gone',
  /** False: members cannot deposit, play or withdraw, respectively; money that arrives anyway is credited. */
  'deposit.open': true,
  'withdraw.open': true,
  'game.open': true,
  /** true: every call must carry the X-Requested-With marker of the member app. */
  'marker.strict': false,
  'register.open': true,
  'register.otp': true,
  /** The least age that a new member confirms; 0: no confirmation. */
  'register.age': 20,
  'chat.widget': true,
  /** Opening hours of support in Asia/Bangkok; empty: always. */
  'chat.hours': [] as { from: string; to: string }[],
  /** A chat session ends this time after an agent's message without a reply. */
  'chat.idleMinutes': 60,
  /** Within which time a waiting customer should be answered; later is late, in the inbox and in the report. */
  'chat.answerMinutes': 5,
  /** Conversations that guests begin in an hour: from one address, and altogether. */
  'chat.guestAddressHourMax': 60,
  'chat.guestHourMax': 1_000,
  /** What files may weigh: of all customers, of an address and of a conversation in 24 hours, and of a guest's conversation in all. */
  'chat.totalMegabytes': 10_000,
  'chat.addressMegabytes': 500,
  'chat.dayMegabytes': 100,
  'chat.guestMegabytes': 300,
  /** Files of a guest who never became a member are deleted after this time. */
  'chat.guestFileDays': 90,
  'session.days': 30,
  /** A session ends after so many days without use, at the latest after session.days; 0: it does not. */
  'session.idleDays': 30,
  /** true: new passwords of members have 8 characters or more, and are neither among the common ones nor the phone. */
  'password.strong': false,
  'login.failuresMax': 10,
  'login.windowMinutes': 15,
  /** Failures of one address, over all accounts, before its tries are spaced out. */
  'login.addressFailuresMax': 60,
  'otp.minutes': 5,
  'otp.triesMax': 5,
  'otp.blockMinutes': 15,
  'otp.dayMax': 5,
  'otp.addressHourMax': 30,
  /** Wrong codes of one address, over all phones, before its tries are spaced out. */
  'otp.addressFailuresMax': 60,
  'otp.verifiedMinutes': 30,
  'register.addressHourMax': 60,
  'qr.minutes': 10,
  'qr.minimum': baht(1),
  'qr.gatewayMinimum': baht(100),
  'qr.maximum': baht(2_000_000),
  'qr.hourMax': 60,
  'gift.open': true,
  'gift.minimum': baht(2),
  'gift.hourMax': 60,
  'withdraw.minimum': baht(100),
  'withdraw.maximum': baht(50_000),
  'withdraw.automaticMax': baht(2_000),
  'withdraw.automaticDayMax': baht(10_000),
  'withdraw.oneOpen': true,
  /** How often a deposit must be bet before it is withdrawn without review; 0: not required. */
  'withdraw.playedTimes': 1,
  /**
   * From which amount, with what the member withdrew in 24 hours, a withdrawal waits for review unless the member's
   * identity is verified; 0: from none.
   */
  'withdraw.verifiedFrom': baht(0),
  'account.coolingHours': 24,
  /**
   * The risk score of a withdrawal, 0 to 100: from which an operator reviews it, from which one operator alone cannot
   * approve it, and from which an alert opens. Above 100: never.
   */
  'risk.reviewScore': 30,
  'risk.holdScore': 70,
  'risk.alertScore': 70,
  /** The points of each part of the score; 0 leaves the part out. */
  'risk.accountPoints': 60,
  'risk.devicePoints': 40,
  'risk.addressPoints': 30,
  'risk.ringPoints': 50,
  'risk.unplayedPoints': 40,
  'risk.slipPoints': 40,
  'risk.paidTwicePoints': 40,
  'risk.bonusPoints': 40,
  'risk.stakePoints': 30,
  'risk.networkPoints': 40,
  'risk.amountPoints': 30,
  /** From how many each part counts: others from one small network, members of an invite ring, slips, bonuses, networks. */
  'risk.addressMembers': 3,
  'risk.ringMembers': 3,
  'risk.slips': 3,
  'risk.bonuses': 3,
  'risk.networks': 3,
  /** How many times the member's own average day in games, or usual withdrawal, is unusual; and from which amount. */
  'risk.stakeTimes': 10,
  'risk.stakeLeast': baht(2_000),
  'risk.amountTimes': 10,
  'risk.amountLeast': baht(1_000),
  'slip.windowMinutes': 60,
  'slip.hourMax': 60,
  'file.linkMinutes': 60,
  /** No file is taken while the disk has less than this free. */
  'file.diskFreeMegabytes': 512,
  'slip.closedHours': [{ from: '23:45', to: '00:15' }],
  'feed.seconds': 5,
  'refresh.seconds': 5,
  'game.timeoutSeconds': 5,
  'game.entryHourMax': 120,
  /** Below how many credits of an agent, or messages of the SMS gateway, operators are alerted; 0 never. */
  'game.creditAlert': 10_000,
  'sms.creditAlert': 500,
  'bank.timeoutSeconds': 10,
  'unknown.alertMinutes': 15,
  /**
   * How long after an order a partner's answer that it never saw it begins to count: a payout is then ordered again, a
   * transfer with a game given back, and a gift link redeemed again.
   */
  'unknown.absentGraceSeconds': 20,
  'unknown.watchDays': 3,
  'bonus.depositHours': 24,
  'bonus.allowForfeit': true,
  'bonus.stuckHours': 24,
  'invite.active': true,
  'invite.percent': 5,
  'invite.most': baht(500),
  /** Bets of the invited member, in times of their first deposit, before their inviter may receive. */
  'invite.betTimes': 3,
  'invite.minimum': baht(1),
  /** true: nothing is earned by somebody seen on the same device, or at the same address. */
  'invite.barDevice': true,
  'invite.barAddress': true,
  'invite.successPercent': 200,
  'invite.failPercent': 10,
  'invite.days': 30,
  'refund.active': true,
  'refund.percent': 5,
  'refund.most': baht(5_000),
  'refund.dayMax': 1,
  /** No refund above this remaining balance; 0: no limit. */
  'refund.balanceMax': baht(0),
  'refund.successPercent': 0,
  'refund.failPercent': 0,
  'refund.days': 30,
  'wheel.active': false,
  /** Whether members see each slice's chance. */
  'wheel.odds': false,
  /** Paid in for one coin, summed by the day; 0: none are given. */
  'coin.deposit': baht(100),
  'coin.dayMax': 10,
  'deposit.manual': false,
  /** False: an installation with one operator, without second approvals; the audit trail records that. */
  'desk.makerChecker': true,
  /** What one operator may give or take manually within a day: per member, and by coupons in total. */
  'desk.entryMax': baht(1_000),
  /** The same in coins. */
  'desk.coinMax': 100,
  'desk.withdrawalMax': baht(20_000),
  'desk.claimMinutes': 10,
  'desk.approvalHours': 24,
  /** How long the decision about a withdrawal can be undone before it is carried out; 0: it is carried out at once. */
  'desk.undoSeconds': 5,
  'desk.sessionIdleMinutes': 30,
  'desk.sessionHours': 12,
  'desk.enrolmentHours': 24,
};

export type SettingValues = typeof SETTING_DEFAULTS;
export type SettingKey = keyof SettingValues;

/** The settings as they are now. */
export interface Settings {
  get<K extends SettingKey>(key: K): SettingValues[K];
  /** Reads them again now. */
  reread(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether a value has the shape of a setting's default. */
export function fitsSetting(key: SettingKey, value: unknown): boolean {
  const model: unknown = SETTING_DEFAULTS[key];
  if (key === 'service.terminated') return value === false || value === 'gone';
  if (Array.isArray(model)) {
    return (
      Array.isArray(value) &&
      value.every((row) => /^\d\d:\d\d$/.test(row?.from) && /^\d\d:\d\d$/.test(row?.to))
    );
  }
  if (typeof model === 'object') {
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.keys(model!).every((part) => isAmount((value as Record<string, unknown>)[part]))
    );
  }
  if (typeof model === 'number') return isAmount(value) && fitsTerms(key, value as number);
  return typeof value === typeof model;
}

/** A run is won above what it began with, or without a balance; and lost below it. A share is no more than all. */
function fitsTerms(key: SettingKey, percent: number): boolean {
  if (key.endsWith('.successPercent')) return percent === 0 || percent > 100;
  if (key.endsWith('.percent')) return percent <= 100;
  return !key.endsWith('.failPercent') || percent < 100;
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Changes one setting; throws TypeError when the value does not fit. A repeat writes the same value again. */
export async function changeSetting(db: Db, key: SettingKey, value: unknown, now: Date): Promise<void> {
  if (!fitsSetting(key, value)) throw new TypeError(`${key} does not take ${JSON.stringify(value)}`);
  await db.query(
    `insert into setting (key, value, updated_at) values ($1, $2::jsonb, $3)
     on conflict (key) do update set value = excluded.value, version = setting.version + 1, updated_at = excluded.updated_at`,
    [key, JSON.stringify(value), now],
  );
}

const REREAD_INTERVAL_MS = 1000;

/** Reads the settings and follows their changes: at once by notification, and once a second should one be missed. */
export async function openSettings(pool: Pool): Promise<Settings> {
  let values: SettingValues = SETTING_DEFAULTS;
  let begun = 0;
  let newest = 0;
  const read = async () => {
    const turn = ++begun;
    const result = await pool.query('select key, value from setting');
    const changed = Object.fromEntries(
      result.rows.filter((row) => row.key in SETTING_DEFAULTS).map((row) => [row.key, row.value]),
    );
    // A late response must not replace a newer one.
    if (turn < newest) return;
    newest = turn;
    values = { ...SETTING_DEFAULTS, ...changed };
  };
  await read();
  const timer = setInterval(() => void read().catch(() => undefined), REREAD_INTERVAL_MS);
  timer.unref();
  const reread = () => void read().catch(() => undefined);
  const listener = listen(pool, 'setting', reread, reread);
  return {
    get: (key) => values[key],
    reread: read,
    async stop() {
      clearInterval(timer);
      await listener.stop();
    },
  };
}
