import { wheel } from '@krapao/contract/member';
import { PRIZES } from '@krapao/contract/prizes';
import { fromMinor, type Language, type RefusalsOf } from '@krapao/contract/shared';
import { RespondedBefore, readBalance, respondOnce } from '../../ledger/index.ts';
import type { Config } from '../../platform/config.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { asResult } from '../../platform/http/success.ts';
import { newId } from '../../platform/ids.ts';
import type { Intent } from '../../platform/intent.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { type BonusDeps, grantRun, hasActiveRun } from '../bonuses/read.ts';
import { requireMayEnter } from '../games/read.ts';
import { couponRedemptionItem } from './ledger.ts';
import {
  findRedemption,
  listRedeemable,
  type PrizeRow,
  type RedeemableRow,
  type RedemptionRow,
} from './queries.ts';

export interface CouponDeps extends BonusDeps {
  config: Config;
}

/** How often another coupon is looked for because the one found has just gone. */
const TRIES = 20;

/** What a prize is worth on the wire: money, or coins. */
const worthOf = ({ kind, value, currency }: PrizeRow): number => {
  if (PRIZES[kind].redeemedTo === 'delivery') return 0;
  return PRIZES[kind].unit === 'coins' ? Number(value) : fromMinor(value, currency);
};

const hasTerms = ({ success_percent, turnover_percent }: PrizeRow): boolean =>
  success_percent > 0 || turnover_percent > 0;

const couponView = (row: RedeemableRow, memberId: bigint, language: Language) => ({
  _id: `CP${row.id}-${memberId}`,
  prize: { name: row.name[language], slice: row.slice_code },
  kind: row.kind,
  amount: row.count,
  value: worthOf(row),
  terms: hasTerms(row)
    ? {
        percentSuccess: row.success_percent,
        percentFail: row.fail_percent,
        turnoverTimes: row.turnover_percent / 100,
        days: row.run_days,
        withdrawMost: row.withdraw_max === null ? null : fromMinor(row.withdraw_max, row.currency),
        games: row.games && Object.keys(row.games),
      }
    : null,
  expireAt: row.expires_at.toISOString(),
});

/** The response to a redemption, without the coins left. */
type Kept = Pick<PrizeRow, 'name' | 'kind'> & { value: number };
type Redemption = RedemptionRow & { coupon_id: string };

/** Returns the coupon that a redemption takes now. Throws why there is none. */
async function requireCoupon(
  refuse: Refuse<RefusalsOf<typeof wheel.redeemCoupon>>,
  deps: CouponDeps,
  member: Member,
  code: string,
): Promise<Redemption> {
  const parts = /^CP(\d{1,15})-(\d{1,15})$/.exec(code);
  if (!parts) throw refuse('INVALID_CODE');
  const [prizeId, ownerId] = [BigInt(parts[1]!), BigInt(parts[2]!)];
  const row =
    ownerId === member.id ? await findRedemption(deps.pool, member.id, prizeId, deps.clock.now()) : undefined;
  if (!row || row.currency !== member.currency) throw refuse('INVALID_PRIZE_CODE');
  if (PRIZES[row.kind].hasTerms) await requireMayEnter(refuse, deps, member);
  if (row.withdrawn_at) throw refuse('INVALID_COUPON_TYPE');
  if (!row.coupon_id) throw refuse(row.has_expired ? 'COUPON_EXPIRED' : 'NO_CLAIMABLE_COUPON');
  if (await hasActiveRun(deps.pool, member.id)) throw refuse('BONUS_REMAINING');
  return row as Redemption;
}

const storedOf = (row: PrizeRow): Kept => ({ name: row.name, kind: row.kind, value: worthOf(row) });
const savedAs = (intent: Intent | null, row: PrizeRow) =>
  intent ? { saved: { ...intent, state: 'DONE' as const, response: storedOf(row) } } : {};

/** Which coupon is redeemed, under which key, and in which language its name is stored in the statement. */
interface Order {
  code: string;
  intent: Intent | null;
  language: Language;
}

/** Money into the wallet: plain, or under the prize's terms. */
async function redeemForMoney(
  refuse: Refuse<RefusalsOf<typeof wheel.redeemCoupon>>,
  deps: CouponDeps,
  member: Member,
  { code, intent, language }: Order,
) {
  const from = await deps.systemAccount('bonus_cost', member.currency);
  let redemption: Redemption | undefined;
  const { runId } = await grantRun(refuse, deps, member, async () => {
    const row = await requireCoupon(refuse, deps, member, code);
    redemption = row;
    return {
      kind: 'luckydraw',
      label: row.name[language],
      terms: { ...row, days: row.run_days },
      from,
      entryKind: PRIZES[row.kind].hasTerms ? 'bonus_coupon' : 'bonus_cash_coupon',
      refusals: { BONUS_ALREADY_ACTIVE: 'BONUS_REMAINING', BONUS_REMAINING: 'BONUS_REMAINING' },
      grant: () => Promise.resolve({ granted: row.value }),
      attached: (run) => ({
        name: 'coupon_bonus',
        row: { couponId: row.coupon_id, at: deps.clock.now(), run },
      }),
      ...savedAs(intent, row),
    };
  });
  return { ...storedOf(redemption!), statementId: runId };
}

/** Coins, or an item for operators to deliver; false when the coupon has gone meanwhile. */
async function redeemForCoinsOrItem(
  refuse: Refuse<'BONUS_REMAINING'>,
  deps: CouponDeps,
  member: Member,
  row: Redemption,
  intent: Intent | null,
): Promise<boolean> {
  const now = deps.clock.now();
  const issue = await deps.systemAccount('coin_issue', 'COIN');
  const isCoins = PRIZES[row.kind].redeemedTo === 'coins';
  const outcome = await deps.ledger.post(
    couponRedemptionItem({
      tryId: newId('CP', now),
      couponId: row.coupon_id,
      memberId: member.id,
      at: now,
      coins: isCoins ? { amount: row.value, issue, account: member.coinAccount } : null,
      saved: savedAs(intent, row).saved,
    }),
  );
  if (outcome.state === 'posted') return true;
  if (outcome.state === 'answered') throw new RespondedBefore();
  if (outcome.state !== 'refused') throw new Error(`redemption ended as ${outcome.state}`);
  if (outcome.body.message === 'STALE') return false;
  throw refuse(outcome.body.message as 'BONUS_REMAINING');
}

async function redeem(
  refuse: Refuse<RefusalsOf<typeof wheel.redeemCoupon>>,
  deps: CouponDeps,
  member: Member,
  order: Order,
): Promise<Kept & { statementId?: string }> {
  for (let time = 0; time < TRIES; time++) {
    const row = await requireCoupon(refuse, deps, member, order.code);
    if (PRIZES[row.kind].redeemedTo === 'wallet') return redeemForMoney(refuse, deps, member, order);
    if (await redeemForCoinsOrItem(refuse, deps, member, row, order.intent)) return storedOf(row);
  }
  throw refuse('PROVIDER_UNAVAILABLE', undefined, 'coupons still changing');
}

/** Answers a member's coupons and their redemptions. */
export function couponCalls(declare: Declare, deps: CouponDeps): void {
  declare(wheel.listCoupons, async ({ member, request }) => {
    const language = languageOf(request, deps.config.variant);
    const rows = await listRedeemable(deps.pool, member.id, deps.clock.now());
    return { success: true, result: rows.map((row) => couponView(row, member.id, language)) };
  });
  declare(wheel.redeemCoupon, ({ member, body, intent, request, refuse }) => {
    const language = languageOf(request, deps.config.variant);
    return asResult(async () => {
      const { name, kind, value, statementId } = await respondOnce<Kept & { statementId?: string }>(
        deps,
        intent,
        { checkFirst: true, build: ({ response }) => response as Kept },
        () => redeem(refuse, deps, member, { code: body.coupon, intent, language }),
      );
      const { balanceMinor } = await readBalance(deps.pool, member.coinAccount);
      return {
        label: name[language],
        kind,
        value,
        remainingCoin: Number(balanceMinor),
        ...(statementId ? { statementId } : {}),
      };
    });
  });
}
