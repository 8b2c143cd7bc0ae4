/** The states that rows have, as the wire and the tables name them. */

export const MEMBER_STATUSES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export const OPERATOR_STATUSES = ['INVITED', 'ACTIVE', 'SUSPENDED'] as const;
export type OperatorStatus = (typeof OPERATOR_STATUSES)[number];

export const WITHDRAWAL_STATUSES = ['QUEUED', 'REVIEW', 'PROCESSING', 'SUCCESS', 'FAILED'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** PENDING: the bank is being queried. REVIEW: waits for an operator. */
export const SLIP_STATUSES = ['PENDING', 'REVIEW', 'SUCCESS', 'FAILED'] as const;
export type SlipStatus = (typeof SLIP_STATUSES)[number];

export const STATEMENT_STATUSES = ['PENDING', 'PROCESSING', 'REVIEW', 'SUCCESS', 'FAILED'] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

export const RUN_KINDS = ['bonus', 'promotion', 'invite', 'refund', 'luckydraw'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_STATES = ['ACTIVE', 'PLAIN', 'SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** States of what an invited member earns their inviter. */
export const INVITE_SHARE_STATES = ['ACCRUED', 'READY', 'RECEIVED', 'BARRED', 'REVERSED'] as const;
export type InviteShareState = (typeof INVITE_SHARE_STATES)[number];

/** The same, and JOINED: an invited member who has not deposited. */
export const INVITE_STATES = ['JOINED', ...INVITE_SHARE_STATES] as const;

/** Why an invited member earns nothing. */
export const INVITE_BAR_REASONS = ['ACCOUNT', 'DEVICE', 'ADDRESS', 'CURRENCY', 'SMALL'] as const;
export type InviteBarReason = (typeof INVITE_BAR_REASONS)[number];

/** Kinds of difference that a reconciliation finds. */
export const DIFFERENCE_KINDS = ['MISSING_THEIRS', 'MISSING_OURS', 'AMOUNT', 'BALANCE'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];
