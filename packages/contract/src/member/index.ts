import type { CallTypes } from '../shared/call.ts';
import * as bonuses from './bonuses.ts';
import * as chat from './chat.ts';
import * as invites from './invites.ts';
import * as kyc from './kyc.ts';
import * as limits from './limits.ts';
import * as lookups from './lookups.ts';
import * as notifications from './notifications.ts';
import * as ownData from './own-data.ts';
import * as password from './password.ts';
import * as pin from './pin.ts';
import * as profile from './profile.ts';
import * as qr from './qr.ts';
import * as refunds from './refunds.ts';
import * as registration from './registration.ts';
import * as sessions from './sessions.ts';
import * as site from './site.ts';
import * as slips from './slips.ts';
import * as statement from './statement.ts';
import * as wallet from './wallet.ts';
import * as wheel from './wheel.ts';

export type { ChatMessage } from './chat.ts';
export { type MemberEvents, SCREEN_EVENTS, type ScreenEventResult, type ScreenEvents } from './events.ts';
export * as schemas from './schemas.ts';
/** Every call of the member app, by group. */
export {
  bonuses,
  chat,
  invites,
  kyc,
  limits,
  lookups,
  notifications,
  ownData,
  password,
  pin,
  profile,
  qr,
  refunds,
  registration,
  sessions,
  site,
  slips,
  statement,
  wallet,
  wheel,
};

type All = Omit<typeof bonuses, 'Bonus' | 'ActiveBonus' | 'Promotion'> &
  Omit<typeof chat, 'ChatItem'> &
  typeof invites &
  typeof kyc &
  Omit<typeof limits, 'PlayLimits'> &
  typeof lookups &
  typeof notifications &
  typeof ownData &
  typeof password &
  typeof pin &
  typeof profile &
  typeof qr &
  typeof refunds &
  typeof registration &
  typeof sessions &
  typeof site &
  Omit<typeof slips, 'SlipReceipt' | 'SlipItem'> &
  typeof wheel &
  Omit<typeof statement, 'StatementItem' | 'StatementFilter'> &
  typeof wallet;

/** Types of every member call by "METHOD /path"; import as type only, the browser carries no schemas. */
export type MemberApi = CallTypes<All>;
