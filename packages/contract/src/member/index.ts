import type { CallTypes } from '../shared/call.ts';
import * as account from './account.ts';
import * as bonus from './bonus.ts';
import * as chat from './chat.ts';
import * as invite from './invite.ts';
import * as limits from './limits.ts';
import * as lookups from './lookups.ts';
import * as notifications from './notifications.ts';
import * as password from './password.ts';
import * as pin from './pin.ts';
import * as qrcode from './qrcode.ts';
import * as refund from './refund.ts';
import * as sessions from './sessions.ts';
import * as site from './site.ts';
import * as slip from './slip.ts';
import * as spinwheel from './spinwheel.ts';
import * as statement from './statement.ts';
import * as wallet from './wallet.ts';

export type { ChatMessage } from './chat.ts';
export { type MemberEvents, SCREEN_EVENTS, type ScreenEventResult, type ScreenEvents } from './events.ts';
export * as schemas from './schemas.ts';
/** Every call of the member app, by group. */
export {
  account,
  bonus,
  chat,
  invite,
  limits,
  lookups,
  notifications,
  password,
  pin,
  qrcode,
  refund,
  sessions,
  site,
  slip,
  spinwheel,
  statement,
  wallet,
};

type All = typeof account &
  Omit<typeof bonus, 'Bonus' | 'ActiveBonus' | 'Promotion'> &
  Omit<typeof chat, 'ChatItem'> &
  typeof invite &
  Omit<typeof limits, 'PlayLimits'> &
  typeof lookups &
  typeof notifications &
  typeof password &
  typeof pin &
  typeof qrcode &
  typeof refund &
  typeof sessions &
  typeof site &
  Omit<typeof slip, 'SlipReceipt' | 'SlipItem'> &
  typeof spinwheel &
  Omit<typeof statement, 'StatementItem' | 'StatementFilter'> &
  typeof wallet;

/** Types of every member call by "METHOD /path"; import as type only, the browser carries no schemas. */
export type MemberApi = CallTypes<All>;
