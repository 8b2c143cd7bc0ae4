import type { CallTypes } from '../shared/call.ts';
import * as account from './account.ts';
import * as alerts from './alerts.ts';
import * as banners from './banners.ts';
import * as bonuses from './bonuses.ts';
import * as chat from './chat.ts';
import * as content from './content.ts';
import * as coupons from './coupons.ts';
import * as depositAccounts from './deposit-accounts.ts';
import * as exports from './exports.ts';
import * as figures from './figures.ts';
import * as games from './games.ts';
import * as invites from './invites.ts';
import * as keys from './keys.ts';
import * as kyc from './kyc.ts';
import * as members from './members.ts';
import * as mentions from './mentions.ts';
import * as money from './money.ts';
import * as operators from './operators.ts';
import * as overview from './overview.ts';
import * as reconciliation from './reconciliation.ts';
import * as refunds from './refunds.ts';
import * as reports from './reports.ts';
import * as risk from './risk.ts';
import * as schedules from './schedules.ts';
import * as settings from './settings.ts';
import * as slips from './slips.ts';
import * as today from './today.ts';
import * as views from './views.ts';
import * as webhooks from './webhooks.ts';
import * as wheel from './wheel.ts';
import * as withdrawals from './withdrawals.ts';

export * from './alert-kinds.ts';
export { ASSIGNMENT_FILTERS } from './assignments.ts';
export { BANNER_PLACES } from './banners.ts';
export { BonusTerms } from './bonuses.ts';
export { CONTENT_KEYS, NewSource } from './content.ts';
export { COUPON_STATES, GRANT_MAX } from './coupons.ts';
export type * from './events.ts';
export { FIGURES_DAYS_MAX } from './figures.ts';
export { PAIR_KINDS, SHARED_KINDS, TIMELINE_KINDS, type TimelineKind } from './members.ts';
export { SETUP_ITEMS } from './overview.ts';
export * from './permissions.ts';
export { REVIEW_REASONS, type ReviewReason, RISK_OUTCOMES, RISK_PARTS, type RiskPartCode } from './risk.ts';
export { REPORT_PERIODS, type ReportPeriod, SENT_REPORTS, type SentReport } from './schedules.ts';
export { type PartnerName, TARGET_MINUTES, type WorkKind } from './today.ts';
export { PAGE_SIZES, VIEW_PAGES_READ } from './views.ts';
export * from './webhook-events.ts';
export { DELIVERY_STATES } from './webhooks.ts';
export { WheelPlan } from './wheel.ts';
/** Every call of the console, by group. */
export {
  account,
  alerts,
  banners,
  bonuses,
  chat,
  content,
  coupons,
  depositAccounts,
  exports,
  figures,
  games,
  invites,
  keys,
  kyc,
  members,
  mentions,
  money,
  operators,
  overview,
  reconciliation,
  refunds,
  reports,
  risk,
  schedules,
  settings,
  slips,
  today,
  views,
  webhooks,
  wheel,
  withdrawals,
};

type Calls<Group> = {
  [Name in keyof Group as Group[Name] extends { path: string } ? Name : never]: Group[Name];
};

/** Types of every operators' call by "METHOD /path"; import as type only, the browser carries no schemas. */
export type OperatorApi = CallTypes<Calls<typeof account>> &
  CallTypes<Calls<typeof alerts>> &
  CallTypes<Calls<typeof banners>> &
  CallTypes<Calls<typeof bonuses>> &
  CallTypes<Calls<typeof depositAccounts>> &
  CallTypes<Calls<typeof chat>> &
  CallTypes<Calls<typeof content>> &
  CallTypes<Calls<typeof coupons>> &
  CallTypes<Calls<typeof overview>> &
  CallTypes<Calls<typeof today>> &
  CallTypes<Calls<typeof figures>> &
  CallTypes<Calls<typeof games>> &
  CallTypes<Calls<typeof keys>> &
  CallTypes<Calls<typeof kyc>> &
  CallTypes<Calls<typeof members>> &
  CallTypes<Calls<typeof mentions>> &
  CallTypes<Calls<typeof money>> &
  CallTypes<Calls<typeof reconciliation>> &
  CallTypes<Calls<typeof reports>> &
  CallTypes<Calls<typeof invites>> &
  CallTypes<Calls<typeof refunds>> &
  CallTypes<Calls<typeof risk>> &
  CallTypes<Calls<typeof schedules>> &
  CallTypes<Calls<typeof settings>> &
  CallTypes<Calls<typeof slips>> &
  CallTypes<Calls<typeof operators>> &
  CallTypes<Calls<typeof views>> &
  CallTypes<Calls<typeof webhooks>> &
  CallTypes<Calls<typeof wheel>> &
  CallTypes<Calls<typeof withdrawals>>;

/** The same of the calls that return a file instead of JSON. */
export type OperatorFileApi = CallTypes<Calls<typeof exports>>;
