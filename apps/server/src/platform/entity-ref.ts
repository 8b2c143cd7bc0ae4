/** The kinds of rows that audit events, assignments and approvals are about. */
export type EntityKind =
  | 'bank'
  | 'banner'
  | 'bonus'
  | 'canned'
  | 'chat'
  | 'chat-team'
  | 'content'
  | 'coupons'
  | 'deposit'
  | 'deposit-account'
  | 'doubt'
  | 'export'
  | 'file'
  | 'game'
  | 'gift'
  | 'gift-code'
  | 'guide'
  | 'macro'
  | 'member'
  | 'operator'
  | 'partner'
  | 'prize'
  | 'provider'
  | 'qr'
  | 'reconciliation'
  | 'rejection-reason'
  | 'report'
  | 'role'
  | 'room'
  | 'schedule'
  | 'setting'
  | 'slip'
  | 'source'
  | 'statement'
  | 'transfer'
  | 'unmatched'
  | 'view'
  | 'webhook'
  | 'wheel'
  | 'withdrawal';

/** A row as audit events, assignments and approvals name it: its kind and its id. */
export type EntityRef = `${EntityKind}:${string}`;

/** Returns the reference of a row: `entityRef('doubt', 7n)` is `doubt:7`. */
export const entityRef = <Kind extends EntityKind>(kind: Kind, id: bigint | string): `${Kind}:${string}` =>
  `${kind}:${id}`;
