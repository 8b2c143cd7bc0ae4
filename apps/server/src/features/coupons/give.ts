import { DAY_MS } from '@krapao/contract/durations';
import { coupons as contract } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { limitNumbersNotFound } from '../../platform/http/number-searches.ts';
import { newId } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Operator } from '../../platform/operators.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ApprovalRow,
  type CheckedAction,
  decideOrRequest,
  recordSmallAction,
  takeApproval,
} from '../approvals/read.ts';
import { listByPhoneOrId, type MeantMember } from '../members/read.ts';
import { findBatch, insertBatch, insertCoupons } from './operator-queries.ts';
import { findPrize, type PrizeColumns } from './prize-queries.ts';
import { columnsOf, keepPrize, summaryOf, unitOf } from './prizes.ts';

export interface GiveDeps {
  pool: Pool;
  config: Config;
  clock: Clock;
  settings: Settings;
  limits: Limits;
}

const ACTION = 'coupon.grant';
/** Coupons that operators give share their prizes. */
const SCOPE = 'operators';
/** How many members a request names. */
const NAMED_MAX = 20;

type Intent = Static<typeof contract.grantCoupons.body>;
type Result = 'OK' | 'UNKNOWN' | 'TWICE' | 'CURRENCY' | 'CLOSED';
interface Row {
  given: string;
  member: { id: string; name: string } | null;
  result: Result;
}

function judge(found: MeantMember | undefined, isTwice: boolean, currency: Currency): Result {
  if (!found) return 'UNKNOWN';
  if (isTwice) return 'TWICE';
  if (found.status === 'CLOSED') return 'CLOSED';
  return found.currency === currency ? 'OK' : 'CURRENCY';
}

/** The outcome of each row: one coupon a member, named by a phone or an id. */
async function rowsOf(deps: GiveDeps, db: Db, intent: Intent, currency: Currency): Promise<Row[]> {
  const given = intent.members.map((text) => text.replaceAll(/[\s-]/g, ''));
  const found = Map.groupBy(
    await listByPhoneOrId(db, [...new Set(given)], deps.config.variant),
    (member) => member.given,
  );
  const seen = new Set<bigint>();
  return given.map((text, at) => {
    // One member's phone may be another's id: then the text matches no member.
    const meant = found.get(text) ?? [];
    const member = meant.length === 1 ? meant[0] : undefined;
    const result = judge(member, member !== undefined && seen.has(member.id), currency);
    if (member) seen.add(member.id);
    return {
      given: intent.members[at]!,
      member: member ? { id: String(member.id), name: member.name } : null,
      result,
    };
  });
}

/** What is given: a prize that is there, or one as it was written. */
async function prizeFor(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  { prize }: Intent,
): Promise<PrizeColumns & { id: bigint | null }> {
  if (!('id' in prize)) return { ...columnsOf(prize.prize, prize.currency, 'prize'), id: null };
  const found = await findPrize(tx, prize.id);
  if (!found) throw refuse('NO_DATA');
  if (found.is_withdrawn) throw new Refusal('INVALID_REQUEST', { field: 'prize' });
  return found;
}

/** A request with all references resolved. */
interface Payload {
  prize: string;
  members: string[];
  key: string;
  makerId: string;
}

/** Gives the coupons with their audit row, once by the maker's key. Throws ROW_CHANGED while the prize is withdrawn. */
async function give(
  refuse: Refuse<'NO_DATA' | 'IDEMPOTENCY_CONFLICT' | 'ROW_CHANGED'>,
  deps: GiveDeps,
  tx: PoolClient,
  actor: Actor,
  { prize, members, key, makerId }: Payload,
  decision: { reason: string; request: Pick<ApprovalRow, 'id' | 'maker'> | null },
): Promise<string> {
  const row = await findPrize(tx, prize);
  if (!row) throw refuse('NO_DATA');
  if (row.is_withdrawn) throw refuse('ROW_CHANGED', { state: 'WITHDRAWN' });
  const now = deps.clock.now();
  const id = newId('CB', now);
  const operatorId = BigInt(makerId);
  const { reason, request } = decision;
  const batch = { id, prizeId: row.id, operatorId, key, reason, approvalId: request?.id ?? null, now };
  if (!(await insertBatch(tx, batch))) throw refuse('IDEMPOTENCY_CONFLICT');
  const coupons = members.map((member) => ({ id: newId('CP', now), memberId: BigInt(member) }));
  const expiresAt = new Date(now.getTime() + row.coupon_days * DAY_MS);
  await insertCoupons(tx, { id, prizeId: row.id, now, expiresAt }, coupons);
  const { kind, name, value, currency } = row;
  const after = { kind, prize: name, value, currency, coupons: members.length, maker: request?.maker };
  await writeAudit(tx, actor, { action: ACTION, subject: entityRef('coupons', id), after, reason }, now);
  return id;
}

/** Coupons above the limit of manual entries are given by two. */
export const couponActions = (deps: GiveDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: ['promotion.manage'],
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        await give(refuse, deps, tx, actor, request.payload as Payload, {
          reason: request.reason ?? '',
          request,
        });
        return { state: 'DONE' };
      }),
  },
];

/** Whether one person may give these coupons, beside those they have given within a day. */
function mayGiveAlone(
  deps: GiveDeps,
  tx: PoolClient,
  prize: PrizeColumns,
  payload: Payload,
): Promise<boolean> {
  return recordSmallAction(deps, tx, {
    operatorId: BigInt(payload.makerId),
    reference: `coupons:${payload.key}`,
    direction: 'credit',
    unit: unitOf(prize),
    amount: prize.value,
    members: payload.members.map(BigInt),
    isBatch: true,
  });
}

/** The first answer to a repeat under the same key, if it was for the same; throws IDEMPOTENCY_CONFLICT otherwise. */
async function repeated(
  refuse: Refuse<'IDEMPOTENCY_CONFLICT'>,
  tx: PoolClient,
  payload: Payload,
): Promise<string | null> {
  const before = await findBatch(tx, BigInt(payload.makerId), payload.key);
  if (!before) return null;
  const isSame =
    String(before.prize_id) === payload.prize && before.members.join() === payload.members.toSorted().join();
  if (!isSame) throw refuse('IDEMPOTENCY_CONFLICT');
  return before.id;
}

/** Who receives the coupons, as a checker is shown: the first of them by id and name. */
const namesOf = (members: readonly { id: string; name: string }[]): string[] => [
  ...members.slice(0, NAMED_MAX).map(({ id, name }) => `${id} ${name}`),
  ...(members.length > NAMED_MAX ? [`+ ${members.length - NAMED_MAX}`] : []),
];

/** Records who was looked up: a check shows names as a grant does, and leaves nothing else behind. */
async function recordCheck(
  deps: GiveDeps,
  tx: PoolClient,
  actor: Actor,
  intent: Intent,
  rows: readonly Row[],
): Promise<void> {
  const members = [...new Set(rows.flatMap(({ member }) => member?.id ?? []))];
  const after = { given: rows.length, members };
  const subject = entityRef('coupons', intent.key);
  const auditEntry = { action: 'coupon.check', subject, after, reason: intent.reason };
  await writeAudit(tx, actor, auditEntry, deps.clock.now());
}

async function decide(
  refuse: Refuse<'NO_DATA' | 'IDEMPOTENCY_CONFLICT' | 'APPROVAL_PENDING' | 'ROW_CHANGED'>,
  deps: GiveDeps,
  tx: PoolClient,
  { actor, operator }: { actor: Actor; operator: Operator },
  intent: Intent,
) {
  const { id, ...prize } = await prizeFor(refuse, tx, intent);
  const rows = await rowsOf(deps, tx, intent, prize.currency);
  const notFound = rows.flatMap(({ given, result }) => (result === 'UNKNOWN' ? [given] : []));
  await limitNumbersNotFound(deps, operator, notFound);
  const receivers = rows.flatMap(({ member, result }) => (result === 'OK' && member ? [member] : []));
  const members = receivers.map((member) => member.id);
  if (intent.check) {
    await recordCheck(deps, tx, actor, intent, rows);
    return { state: 'CHECKED', approval: null, batch: null, granted: members.length, rows };
  }
  if (members.length === 0) throw new Refusal('INVALID_REQUEST', { field: 'members' });
  const prizeId = String(id ?? (await keepPrize(tx, SCOPE, prize, deps.clock.now())));
  const payload = { prize: prizeId, members, key: intent.key, makerId: String(actor.id) };
  const before = await repeated(refuse, tx, payload);
  if (before) return { state: 'DONE', approval: null, batch: before, granted: members.length, rows };
  let batch: string | null = null;
  const acted = await decideOrRequest(refuse, deps, tx, actor, {
    action: ACTION,
    subject: entityRef('prize', prizeId),
    payload,
    summary: { ...summaryOf(prize, members.length), member: namesOf(receivers) },
    reason: intent.reason,
    needsChecker: !(await mayGiveAlone(deps, tx, prize, payload)),
    state: 'PENDING',
    perform: async () => {
      batch = await give(refuse, deps, tx, actor, payload, { reason: intent.reason, request: null });
      return 'DONE';
    },
  });
  return { ...acted, batch, granted: acted.approval ? 0 : members.length, rows };
}

/** Answers the giving of coupons. */
export function giveCall(declare: OperatorDeclare, deps: GiveDeps): void {
  declare(contract.grantCoupons, ({ body, actor, operator, refuse }) =>
    inTransaction(deps.pool, (tx) => decide(refuse, deps, tx, { actor, operator }, body)),
  );
}
