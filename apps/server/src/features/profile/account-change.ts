import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import { overview } from '@krapao/contract/operator';
import { type Actor, writeAudit, writeMemberAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { maskedAccountNo } from '../../platform/masks.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ApprovalRow,
  type CheckedAction,
  findApproval,
  findNewestRequest,
  lapseForPassword,
  requestForMember,
  takeApproval,
  withdrawForMember,
} from '../approvals/read.ts';
import { type BankInput, violates } from '../registration/read.ts';
import {
  type AccountRow,
  findAccount,
  findActiveAccount,
  lockActiveAccount,
  lockUnclosed,
  replaceAccount,
} from './queries.ts';

export interface AccountChangeDeps {
  pool: Pool;
  config: Config;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
}

const ACTION = 'account.change';
/** How long a member is shown that their request was not granted. */
const SHOWN_DAYS = 7;

/** What a request keeps until it is decided; the number is sealed, buffers are hex. */
interface Payload {
  memberId: string;
  /** The payout account at the time of the request. */
  replaces: string;
  bankCode: string;
  accountName: string;
  sealed: string;
  fingerprint: string;
}

const payloadOf = (row: ApprovalRow): Payload => row.payload as Payload;
const numberOf = (deps: AccountChangeDeps, sealed: Buffer): string =>
  deps.secrets.decrypt('bank-account', sealed);
const maskedText = (bankCode: string, digits: string, name: string): string =>
  `${bankCode} ${maskedAccountNo(digits)} ${name}`;

/**
 * Requests approval of another bank account. A repeat of the open request changes nothing; another request while one
 * is open throws REQUEST_LIMIT. `member.name` is the name before the call: the same call may change it.
 */
export async function requestAccountChange(
  deps: AccountChangeDeps,
  tx: PoolClient,
  member: { id: bigint; address: string; name: string },
  present: AccountRow,
  wanted: BankInput & { fingerprint: Buffer },
): Promise<void> {
  const fingerprint = wanted.fingerprint.toString('hex');
  const payload: Payload = {
    memberId: String(member.id),
    replaces: String(present.id),
    bankCode: wanted.bankCode,
    accountName: wanted.bankAccountName,
    sealed: deps.secrets.encrypt('bank-account', wanted.bankAccountNo).toString('hex'),
    fingerprint,
  };
  const subject = entityRef('member', member.id);
  const isNew = await requestForMember(deps, tx, member, {
    action: ACTION,
    subject,
    payload,
    summary: {
      member: String(member.id),
      name: member.name,
      from: maskedText(present.bank_code, numberOf(deps, present.account_no_sealed), present.account_name),
      to: maskedText(wanted.bankCode, wanted.bankAccountNo, wanted.bankAccountName),
      address: member.address,
    },
    reason: null,
  });
  if (isNew) return;
  const open = await findNewestRequest(tx, subject, ACTION);
  const before = open && payloadOf(open);
  if (before?.fingerprint !== fingerprint || before.accountName !== wanted.bankAccountName)
    throw new Refusal('REQUEST_LIMIT');
}

/** Withdraws the member's pending request for another account; without one nothing changes. */
export async function withdrawAccountChange(
  tx: PoolClient,
  member: { id: bigint; address: string },
  now: Date,
): Promise<void> {
  await withdrawForMember(tx, member, { action: ACTION, subject: entityRef('member', member.id) }, now);
}

/**
 * Lapses the member's pending request for another account in the transaction that changes or resets their password, after
 * that has ended sessions: a request by one of these sessions then comes before, or is refused.
 */
export async function lapseAccountChange(
  tx: PoolClient,
  member: { id: bigint; address: string },
  now: Date,
): Promise<void> {
  const approval = await lapseForPassword(tx, member.id, ACTION, now);
  if (approval === null) return;
  const auditEntry = { action: 'approval.lapse', subject: entityRef('member', member.id) };
  await writeMemberAudit(tx, member, { ...auditEntry, before: { approval, asks: ACTION } }, now);
}

/** When a changed account is first paid; null when the present one does not rest. */
export async function payoutsFrom(deps: Pick<AccountChangeDeps, 'pool' | 'clock'>, memberId: bigint) {
  const coolUntil = (await findActiveAccount(deps.pool, memberId))?.cool_until;
  return coolUntil && coolUntil > deps.clock.now() ? coolUntil.toISOString() : null;
}

/** The account fields of a member's profile: an open or refused request, and when a new one is first paid, or would be. */
export async function accountChangeState(deps: AccountChangeDeps, memberId: bigint) {
  const now = deps.clock.now();
  const [request, from] = await Promise.all([
    findNewestRequest(deps.pool, entityRef('member', memberId), ACTION),
    payoutsFrom(deps, memberId),
  ]);
  return {
    bankAccountRequest: request ? requestView(deps, request, now) : null,
    payoutsFrom: from,
    coolingHours: deps.settings.get('account.coolingHours'),
  };
}

function requestView(deps: AccountChangeDeps, row: ApprovalRow, now: Date) {
  const { bankCode, accountName, sealed } = payloadOf(row);
  const status = row.state === 'PENDING' && row.lapses_at <= now ? 'LAPSED' : row.state;
  const isOld = now.getTime() - row.made_at.getTime() > SHOWN_DAYS * DAY_MS;
  if (status === 'APPROVED' || status === 'WITHDRAWN' || (isOld && status !== 'PENDING')) return null;
  return {
    status,
    bankCode,
    bankAccountName: accountName,
    bankAccountNo: maskedAccountNo(numberOf(deps, Buffer.from(sealed, 'hex'))),
    createdAt: row.made_at.toISOString(),
  };
}

/**
 * Puts the account in place, to rest before the first payout; the old one must still be the one seen. That of a closed
 * member stays theirs.
 */
async function carryOut(
  refuse: Refuse<'ROW_CHANGED' | 'APPROVAL_LAPSED' | 'EXISTING_BANK'>,
  deps: AccountChangeDeps,
  request: ApprovalRow,
  actor: Actor,
) {
  const { memberId, replaces, bankCode, accountName, sealed, fingerprint } = payloadOf(request);
  const now = deps.clock.now();
  const coolUntil = new Date(now.getTime() + deps.settings.get('account.coolingHours') * HOUR_MS);
  await inTransaction(deps.pool, async (tx) => {
    if (!(await lockUnclosed(tx, BigInt(memberId)))) throw refuse('ROW_CHANGED', { state: 'CLOSED' });
    const present = await lockActiveAccount(tx, BigInt(memberId));
    if (String(present?.id) !== replaces) throw refuse('ROW_CHANGED', { state: 'REPLACED' });
    await takeApproval(refuse, tx, request.id, actor, now);
    await replaceAccount(tx, {
      replaces: present!.id,
      memberId: BigInt(memberId),
      bankCode,
      sealed: Buffer.from(sealed, 'hex'),
      fingerprint: Buffer.from(fingerprint, 'hex'),
      name: accountName,
      now,
      coolUntil,
    });
    const { from, to } = request.summary;
    const auditEntry = {
      action: ACTION,
      subject: entityRef('member', BigInt(memberId)),
      before: { account: from },
    };
    await writeAudit(
      tx,
      actor,
      { ...auditEntry, after: { account: to, approval: request.id, coolUntil } },
      now,
    );
  }).catch((error: unknown) => {
    throw violates(error, 'bank_account_once') ? refuse('EXISTING_BANK') : error;
  });
  return { state: 'APPROVED' };
}

/** Members' requests for another account; the member is the maker, so any operator who may check decides. */
export const accountActions = (deps: AccountChangeDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: [],
    carryOut: (refuse, request, actor) => carryOut(refuse, deps, request, actor),
  },
];

/** Returns whole account numbers for comparison; the audit trail records it. */
export function accountRevealCall(declare: OperatorDeclare, deps: AccountChangeDeps): void {
  declare(overview.revealAccounts, async ({ params, actor, refuse }) => {
    const request = await findApproval(deps.pool, params.id);
    if (request?.action !== ACTION) throw refuse('NO_DATA');
    const { replaces, sealed } = payloadOf(request);
    const present = (await findAccount(deps.pool, BigInt(replaces)))!;
    const auditEntry = { action: 'member.reveal', subject: request.subject, after: { approval: request.id } };
    await writeAudit(deps.pool, actor, auditEntry, deps.clock.now());
    return {
      from: numberOf(deps, present.account_no_sealed),
      to: numberOf(deps, Buffer.from(sealed, 'hex')),
    };
  });
}
