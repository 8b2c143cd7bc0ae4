import type { BonusCallDeps } from './features/bonuses/active.ts';
import { bonusCalls } from './features/bonuses/bonuses.ts';
import { promotionCalls } from './features/bonuses/promotions.ts';
import { noteBets } from './features/bonuses/turnover.ts';
import { type ChatDeps, chatCalls, chatUploadCalls } from './features/chat/chat.ts';
import { createFindUnplayed } from './features/coins/unplayed.ts';
import { bannerCalls } from './features/content/banners/banners.ts';
import { guideCall } from './features/content/guides/guides.ts';
import { type CouponDeps, couponCalls } from './features/coupons/redeem.ts';
import { type GiftCallDeps, giftCall } from './features/deposits/gifts/redeem.ts';
import { type PaymentReportDeps, paymentReportCall } from './features/deposits/payment-reports/report.ts';
import { type QrDeps, qrCalls } from './features/deposits/qr/qr.ts';
import { type SlipListDeps, slipListCalls } from './features/deposits/slips/list.ts';
import { type SlipUploadDeps, slipUploadCall } from './features/deposits/slips/upload.ts';
import { type AccountDeps, gameAccountCalls } from './features/games/accounts.ts';
import { gamePasswordCalls } from './features/games/password.ts';
import { transferCall } from './features/games/transfer.ts';
import { sweepToWallet, transferAllCall } from './features/games/transfer-all.ts';
import { inviteCalls } from './features/invites/invites.ts';
import { type KycDeps, kycCalls, kycUploadCall } from './features/kyc/kyc.ts';
import { limitCalls } from './features/limits/limits.ts';
import { type LookupDeps, lookupCalls } from './features/lookups/lookups.ts';
import { notificationCalls } from './features/notifications/notifications.ts';
import { type PushDeps, pushCalls } from './features/notifications/push.ts';
import { type CloseDeps, closeCall } from './features/own-data/close.ts';
import { profileCalls } from './features/profile/profile.ts';
import { refundCalls } from './features/refunds/refunds.ts';
import { type RegistrationDeps, registrationCalls } from './features/registration/register.ts';
import { createAssess } from './features/risk/read.ts';
import { ownSessionCalls } from './features/sessions/own.ts';
import { pinCalls } from './features/sessions/pin.ts';
import { resetCalls } from './features/sessions/reset.ts';
import { type SessionDeps, sessionCalls } from './features/sessions/sessions.ts';
import { type StatementDeps, statementCall } from './features/statement/statement.ts';
import { type WalletDeps, walletCalls } from './features/wallet/wallet.ts';
import { type WheelDeps, wheelCalls } from './features/wheel/spin.ts';
import { withdrawCalls } from './features/withdrawals/withdraw.ts';
import type { CallDeps, Declare } from './platform/http/declare.ts';

export type CallsDeps = LookupDeps &
  ChatDeps &
  RegistrationDeps &
  SessionDeps &
  WalletDeps &
  AccountDeps &
  CloseDeps &
  QrDeps &
  SlipListDeps &
  PaymentReportDeps &
  GiftCallDeps &
  BonusCallDeps &
  StatementDeps &
  CouponDeps &
  WheelDeps &
  PushDeps &
  CallDeps;

/** Declares every call of the member API. */
export function declareCalls(declare: Declare, deps: CallsDeps): void {
  lookupCalls(declare, deps);
  bannerCalls(declare, deps);
  guideCall(declare, deps);
  registrationCalls(declare, deps);
  profileCalls(declare, deps);
  sessionCalls(declare, deps);
  resetCalls(declare, deps);
  ownSessionCalls(declare, deps);
  pinCalls(declare, deps);
  limitCalls(declare, deps);
  kycCalls(declare, deps);
  closeCall(declare, deps);
  walletCalls(declare, deps);
  gameAccountCalls(declare, deps, (member, readings) => noteBets(deps, member, readings));
  gamePasswordCalls(declare, deps);
  transferCall(declare, deps);
  transferAllCall(declare, deps);
  qrCalls(declare, deps);
  slipListCalls(declare, deps);
  paymentReportCall(declare, deps);
  giftCall(declare, deps);
  withdrawCalls(declare, {
    ...deps,
    sweepToWallet: (refuse, member, neededMinor) =>
      sweepToWallet(refuse, deps, member, { neededMinor, orNothing: true }),
    findUnplayed: createFindUnplayed(deps),
    assess: createAssess(deps),
  });
  bonusCalls(declare, deps);
  promotionCalls(declare, deps);
  inviteCalls(declare, deps);
  refundCalls(declare, deps);
  wheelCalls(declare, deps);
  couponCalls(declare, deps);
  statementCall(declare, deps);
  notificationCalls(declare, deps);
  pushCalls(declare, deps);
  chatCalls(declare, deps);
}

/** Declares the calls that upload a file as a multipart form. */
export function declareUploads(declare: Declare, deps: SlipUploadDeps & ChatDeps & KycDeps): void {
  slipUploadCall(declare, deps);
  kycUploadCall(declare, deps);
  chatUploadCalls(declare, deps);
}
