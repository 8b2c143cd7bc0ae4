import type { FastifyInstance } from 'fastify';
import { alertCalls } from './features/alerts/alerts.ts';
import { type ApprovalDeps, approvalCalls, approvalJobs } from './features/approvals/approvals.ts';
import type { CheckedAction } from './features/approvals/read.ts';
import { auditCall } from './features/audit/audit.ts';
import { codeActions, codeCalls } from './features/bonuses/codes.ts';
import { endRunCall, runActions } from './features/bonuses/operator.ts';
import { runListCalls } from './features/bonuses/runs-operator.ts';
import { bonusActions, termsCalls } from './features/bonuses/terms-operator.ts';
import { macroCalls } from './features/chat/macros.ts';
import { type ChatOperatorDeps, chatFileCall, chatOperatorCalls } from './features/chat/operator.ts';
import { chatTeamCalls } from './features/chat/teams.ts';
import { coinActions, coinOperatorCall } from './features/coins/operator.ts';
import { bannerJobs, bannerOperatorCalls } from './features/content/banners/operator.ts';
import { choiceCalls } from './features/content/choices.ts';
import { fileCalls } from './features/content/files.ts';
import { guideOperatorCalls } from './features/content/guides/guides.ts';
import { type ContentDeps, contentCalls } from './features/content/operator.ts';
import { uploadJobs } from './features/content/sweep.ts';
import { couponActions } from './features/coupons/give.ts';
import { couponOperatorCalls } from './features/coupons/operator.ts';
import { prizeActions } from './features/coupons/withdraw-prize.ts';
import { channelActions, channelCalls } from './features/deposits/accounts/accounts.ts';
import { giftActions, giftOperatorCalls } from './features/deposits/gifts/operator.ts';
import type { GiftDeps } from './features/deposits/gifts/settle.ts';
import { depositOperatorCalls } from './features/deposits/operator.ts';
import { depositActions, type ReverseDeps, reverseCall } from './features/deposits/reversals/reverse.ts';
import { type SlipReviewDeps, slipImageRoute, slipReviewCalls } from './features/deposits/slips/operator.ts';
import { figureCalls } from './features/figures/figures.ts';
import type { GameDeps } from './features/games/move.ts';
import { offerCalls } from './features/games/offer.ts';
import { transferActions, transferOperatorCalls } from './features/games/operator.ts';
import { syncCall } from './features/games/sync.ts';
import { inviteOperatorCalls } from './features/invites/operator.ts';
import { kycImageRoute } from './features/kyc/image.ts';
import { kycOperatorCalls } from './features/kyc/operator.ts';
import { type EntryDeps, entryActions, entryCall } from './features/members/entries.ts';
import { inviteTreeCalls } from './features/members/invite-tree.ts';
import { memberOperatorCalls } from './features/members/members.ts';
import { recordCalls } from './features/members/record.ts';
import { timelineCalls } from './features/members/timeline.ts';
import { mentionCalls } from './features/mentions/mentions.ts';
import { invitationActions, invitationCalls } from './features/operators/invitations.ts';
import { keyCalls } from './features/operators/keys.ts';
import { type SignInDeps, signInCalls } from './features/operators/sign-in.ts';
import { accessActions, teamCalls } from './features/operators/team.ts';
import { type OverviewDeps, overviewCalls } from './features/overview/overview.ts';
import { partnerCall } from './features/overview/partner-health.ts';
import { workCalls } from './features/overview/work.ts';
import { accountActions, accountRevealCall } from './features/profile/account-change.ts';
import { reconciliationCalls, reconciliationJobs } from './features/reconciliation/operator.ts';
import type { SourceDeps } from './features/reconciliation/sources.ts';
import { type StatementDeps, uploadStatementCall } from './features/reconciliation/statements.ts';
import { refundOperatorCalls } from './features/refunds/operator.ts';
import { riskCalls } from './features/risk/trial.ts';
import { type ScheduleDeps, scheduleCalls, scheduleJobs } from './features/schedules/schedules.ts';
import { settingActions, settingCalls } from './features/settings/operator.ts';
import { ambiguousMatchCalls } from './features/unmatched/ambiguous-matches.ts';
import { bookingActions, bookingCalls } from './features/unmatched/bookings.ts';
import { reportActions, reportCalls } from './features/unmatched/reports.ts';
import { type UnmatchedDeps, unmatchedActions, unmatchedCalls } from './features/unmatched/unmatched.ts';
import { viewCalls } from './features/views/views.ts';
import { deliveryCalls } from './features/webhooks/deliveries.ts';
import { endpointCalls, type WebhookDeps } from './features/webhooks/endpoints.ts';
import { wheelActions, wheelOperatorCalls } from './features/wheel/operator.ts';
import { withdrawalActions, withdrawalOperatorCalls } from './features/withdrawals/operator.ts';
import type { RetryDeps } from './features/withdrawals/operator-deps.ts';
import type { OperatorCallDeps, OperatorDeclare, OperatorDoor } from './platform/http/declare-operator.ts';
import type { ExportDeps } from './platform/http/export-file.ts';
import type { JobSet } from './platform/jobs.ts';

export type OperatorCallsDeps = SignInDeps &
  ApprovalDeps &
  OperatorCallDeps &
  RetryDeps &
  UnmatchedDeps &
  ReverseDeps &
  GiftDeps &
  SlipReviewDeps &
  EntryDeps &
  GameDeps &
  OverviewDeps &
  ExportDeps &
  SourceDeps &
  ScheduleDeps &
  ContentDeps &
  WebhookDeps &
  ChatOperatorDeps;

/** Adds routes whose responses are not JSON. */
export interface ConsoleRoutes {
  app: FastifyInstance;
  door: OperatorDoor;
}

/** Lists every kind of request that a second operator approves. */
const checkedActions = (deps: OperatorCallsDeps): CheckedAction[] => [
  ...accessActions(deps),
  ...invitationActions(deps),
  ...withdrawalActions(deps),
  ...depositActions(deps),
  ...giftActions(deps),
  ...unmatchedActions(deps),
  ...bookingActions(deps),
  ...reportActions(deps),
  ...transferActions(deps),
  ...entryActions(deps),
  ...accountActions(deps),
  ...channelActions(deps),
  ...bonusActions(deps),
  ...runActions(deps),
  ...codeActions(deps),
  ...settingActions(deps),
  ...wheelActions(deps),
  ...couponActions(deps),
  ...prizeActions(deps),
  ...coinActions(deps),
];

/** Declares every call of the operator API. */
export function declareOperatorCalls(
  declare: OperatorDeclare,
  deps: OperatorCallsDeps,
  { app, door }: ConsoleRoutes,
): void {
  signInCalls(declare, deps);
  keyCalls(declare, deps);
  teamCalls(declare, deps);
  invitationCalls(declare, deps);
  overviewCalls(declare, deps);
  workCalls(declare, deps, checkedActions(deps));
  partnerCall(declare, deps);
  alertCalls(declare, deps);
  withdrawalOperatorCalls(declare, deps);
  depositOperatorCalls(declare, deps);
  reverseCall(declare, deps);
  giftOperatorCalls(declare, deps);
  unmatchedCalls(declare, deps);
  bookingCalls(declare, deps);
  reportCalls(declare, deps);
  ambiguousMatchCalls(declare, deps);
  slipReviewCalls(declare, deps);
  transferOperatorCalls(declare, deps);
  syncCall(declare, deps);
  endRunCall(declare, deps);
  termsCalls(declare, deps);
  runListCalls(declare, deps);
  codeCalls(declare, deps);
  inviteOperatorCalls(declare, deps);
  refundOperatorCalls(declare, deps);
  memberOperatorCalls(declare, deps);
  recordCalls(declare, deps);
  timelineCalls(declare, deps);
  inviteTreeCalls(declare, deps);
  mentionCalls(declare, deps);
  kycOperatorCalls(declare, deps);
  entryCall(declare, deps);
  approvalCalls(declare, deps, checkedActions(deps));
  accountRevealCall(declare, deps);
  auditCall(declare, deps);
  viewCalls(declare, deps);
  endpointCalls(declare, deps);
  deliveryCalls(declare, deps);
  reconciliationCalls(declare, deps);
  figureCalls(declare, deps);
  scheduleCalls(declare, deps);
  contentCalls(declare, deps);
  choiceCalls(declare, deps);
  bannerOperatorCalls(declare, deps);
  guideOperatorCalls(declare, deps);
  channelCalls(declare, deps);
  chatOperatorCalls(declare, deps);
  macroCalls(declare, deps);
  chatTeamCalls(declare, deps);
  settingCalls(declare, deps);
  riskCalls(declare, deps);
  offerCalls(declare, deps);
  wheelOperatorCalls(declare, deps);
  couponOperatorCalls(declare, deps);
  coinOperatorCall(declare, deps);
  slipImageRoute(app, deps, door);
  kycImageRoute(app, deps, door);
}

/** Declares the calls that upload a file as a multipart form. */
export const declareOperatorUploads = (
  declare: OperatorDeclare,
  deps: ContentDeps & ChatOperatorDeps & StatementDeps,
): void => {
  fileCalls(declare, deps);
  chatFileCall(declare, deps);
  uploadStatementCall(declare, deps);
};

/** Lists the background jobs of operator features. */
export const operatorJobs = (deps: OperatorCallsDeps): JobSet[] => [
  approvalJobs(deps, checkedActions(deps)),
  bannerJobs(deps),
  uploadJobs(deps),
  reconciliationJobs(deps),
  scheduleJobs(deps),
];
