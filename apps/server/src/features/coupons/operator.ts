import { COUPON_STATES, coupons as contract, exports } from '@krapao/contract/operator';
import { PRIZE_KINDS, PRIZES } from '@krapao/contract/prizes';
import type { Static } from 'typebox';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { chosenOf } from '../../platform/http/choices.ts';
import { type PagingName, summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { timesOf } from '../../platform/http/list.ts';
import { limitNumberSearches, limitNumbersNotFound } from '../../platform/http/number-searches.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type GiveDeps, giveCall } from './give.ts';
import {
  COUPON_KEYS,
  type CouponFilter,
  exportCoupons,
  type ListedCoupon,
  listBatch,
  listCoupons,
  lockCoupon,
  markDelivered,
  revoke,
} from './operator-queries.ts';
import { listPrizes } from './prize-queries.ts';
import { worthOf } from './prizes.ts';
import { withdrawPrizeCall } from './withdraw-prize.ts';

type CouponOperatorDeps = GiveDeps & ExportDeps;
type ListQuery = Omit<Static<typeof contract.listCoupons.query>, PagingName>;

// A text that is not a number is no member's id.
const idOf = (text: string | undefined): string | null =>
  text === undefined ? null : /^\d{1,18}$/.test(text) ? text : '0';

const filterOf = (query: ListQuery): CouponFilter => ({
  member: query.member ?? null,
  prizeId: idOf(query.prize),
  batch: query.batch ?? null,
  kinds: chosenOf(query.kind, PRIZE_KINDS),
  states: chosenOf(query.state, COUPON_STATES),
  ...timesOf(query),
});

const view = (row: ListedCoupon) => ({
  id: row.id,
  member: { id: String(row.member_id), name: row.member_name },
  prize: { id: String(row.prize_id), name: row.name, kind: row.kind },
  currency: row.currency,
  value: worthOf(row),
  slice: row.slice_code,
  batch: row.batch_id,
  by: row.operator,
  state: row.state,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
  run: row.run_id,
});

function couponReads(declare: OperatorDeclare, deps: CouponOperatorDeps): void {
  const { pool, reads, clock } = deps;
  declare(contract.listCoupons, async ({ query, operator }) => {
    const list = { keys: COUPON_KEYS, standard: '-createdAt' };
    const { rows, page } = await summedPage(query, list, (slice, counted) =>
      listCoupons(reads, clock.now(), filterOf(query), slice, counted),
    );
    if (query.member && rows.length === 0) await limitNumbersNotFound(deps, operator, [query.member]);
    return { coupons: rows.map(view), ...page };
  });
  declare(exports.exportCoupons, async ({ params, query, operator, actor, reply }) => {
    // The file does not say beforehand whether it found the member.
    await limitNumberSearches(deps, operator, { q: query.member });
    const source = exportCoupons(clock.now(), filterOf(query), query.sort ?? '-createdAt');
    return sendExport(deps, { actor, reply, name: 'coupons', ...params, filters: query }, source);
  });
  declare(contract.listPrizes, async () => ({
    prizes: (await listPrizes(pool, clock.now())).map((row) => ({
      id: String(row.id),
      name: row.name,
      kind: row.kind,
      currency: row.currency,
      value: worthOf(row),
      couponDays: row.coupon_days,
      given: row.given,
      open: row.open,
      redeemed: row.redeemed,
      isWithdrawn: row.is_withdrawn,
    })),
  }));
}

/** Answers the calls by which marketing gives coupons, takes them back and hands items over. */
export function couponOperatorCalls(declare: OperatorDeclare, deps: CouponOperatorDeps): void {
  const { pool, clock } = deps;
  couponReads(declare, deps);
  giveCall(declare, deps);
  withdrawPrizeCall(declare, deps);
  declare(contract.revokeCoupons, ({ body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const { coupons, reason } = body;
      const requested = 'ids' in coupons ? coupons.ids : await listBatch(tx, coupons.batch);
      if (requested.length === 0) throw refuse('NO_DATA');
      const revoked = await revoke(tx, coupons, clock.now());
      const left = requested.filter((id) => !revoked.includes(id));
      const subject = entityRef('coupons', 'ids' in coupons ? coupons.ids[0]! : coupons.batch);
      const auditEntry = { action: 'coupon.revoke', subject, after: { revoked, left }, reason };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { revoked, left };
    }),
  );
  declare(contract.deliverCoupon, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await lockCoupon(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      const isWaiting =
        PRIZES[row.kind].redeemedTo === 'delivery' && row.state === 'CLAIMED' && row.delivered_at === null;
      if (!isWaiting) throw refuse('ROW_CHANGED', { state: row.delivered_at ? 'DELIVERED' : row.state });
      await markDelivered(tx, row.id, clock.now());
      const after = { member: row.member_id, prize: row.name };
      const auditEntry = {
        action: 'coupon.deliver',
        subject: entityRef('coupons', row.id),
        after,
        reason: body.reason,
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { state: 'DELIVERED', approval: null };
    }),
  );
}
