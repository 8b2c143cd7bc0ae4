import { createHash } from 'node:crypto';
import type { wheel } from '@krapao/contract/operator';
import { arePlayable } from '@krapao/contract/playable';
import { PRIZES } from '@krapao/contract/prizes';
import { type Currency, fromMinor, type LocalizedText, localized, toMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { PoolClient } from '../../platform/database/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { insertPrize, type PrizeColumns } from './prize-queries.ts';

/** What a coupon is worth, as operators write it. */
export type Prize = Static<typeof wheel.Prize>;

/** Throws INVALID_REQUEST naming the field unless the text is there in every language. */
export function requireTexts(texts: LocalizedText, field: string): void {
  if (Object.values(texts).some((text) => text.trim() === ''))
    throw new Refusal('INVALID_REQUEST', { field });
}

/** A figure as it is stored: whole coins, or minor units of the currency. Throws INVALID_REQUEST for another. */
function minorOf(amount: number, kind: Prize['kind'], currency: Currency, field: string): bigint {
  const { unit, redeemedTo } = PRIZES[kind];
  if (amount === 0 && redeemedTo === 'delivery') return 0n;
  const minor =
    unit === 'coins'
      ? Number.isInteger(amount) && amount > 0
        ? BigInt(amount)
        : null
      : toMinor(amount, currency);
  if (minor === null) throw new Refusal('INVALID_REQUEST', { field });
  return minor;
}

/** A prize as its row; throws INVALID_REQUEST naming the field that cannot be. */
export function columnsOf(prize: Prize, currency: Currency, field: string): PrizeColumns {
  const { kind, name, terms, couponDays } = prize;
  requireTexts(name, `${field}.name`);
  const hasTerms = terms !== null && (terms.successPercent > 0 || terms.turnoverTimes > 0);
  const isPlayable = terms === null || arePlayable(terms);
  if (hasTerms !== PRIZES[kind].hasTerms || (terms !== null && !PRIZES[kind].hasTerms) || !isPlayable)
    throw new Refusal('INVALID_REQUEST', { field: `${field}.terms` });
  return {
    currency,
    kind,
    name,
    value: minorOf(prize.value, kind, currency, `${field}.value`),
    success_percent: terms?.successPercent ?? 0,
    fail_percent: terms?.failPercent ?? 0,
    turnover_percent: Math.round((terms?.turnoverTimes ?? 0) * 100),
    games: terms?.games ?? null,
    withdraw_max: terms?.withdrawMost
      ? minorOf(terms.withdrawMost, 'CASH', currency, `${field}.terms.withdrawMost`)
      : null,
    run_days: terms?.days ?? 30,
    coupon_days: couponDays,
  };
}

/** A row as operators write it. */
export const prizeOf = (row: PrizeColumns): Prize => ({
  kind: row.kind,
  name: row.name,
  value: worthOf(row),
  terms: PRIZES[row.kind].hasTerms
    ? {
        successPercent: row.success_percent,
        failPercent: row.fail_percent,
        turnoverTimes: row.turnover_percent / 100,
        games: row.games,
        withdrawMost: row.withdraw_max === null ? null : fromMinor(row.withdraw_max, row.currency),
        days: row.run_days,
      }
    : null,
  couponDays: row.coupon_days,
});

/** What one is worth: money, or coins. */
export const worthOf = ({
  kind,
  value,
  currency,
}: Pick<PrizeColumns, 'kind' | 'value' | 'currency'>): number =>
  PRIZES[kind].unit === 'coins' ? Number(value) : fromMinor(value, currency);

/** Names in the order that the console sends, and games by code: the database returns JSON in an order of its own. */
const ordered = (columns: PrizeColumns): PrizeColumns => ({
  ...columns,
  name: localized((language) => columns.name[language]),
  games:
    columns.games && Object.fromEntries(Object.entries(columns.games).sort(([a], [b]) => (a < b ? -1 : 1))),
});

/**
 * The prize's id; one that is alike within the scope is used again, so that its stock and coupons continue.
 * @param scope what gives the prize: a wheel, or operators
 */
export function keepPrize(tx: PoolClient, scope: string, columns: PrizeColumns, now: Date): Promise<bigint> {
  const text = JSON.stringify([scope, ordered(columns)], (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return insertPrize(tx, columns, createHash('sha256').update(text).digest('base64url'), now);
}

/** What a prize is counted in: coins, or its currency. */
export const unitOf = ({ kind, currency }: PrizeColumns): Currency | 'COIN' =>
  PRIZES[kind].unit === 'coins' ? 'COIN' : currency;

/**
 * The terms under which a prize is won or lost, in figures and signs that read alike in every language; nothing for a
 * prize without terms. They decide what the prize is worth: one that is lost at 99 % is money.
 */
export function termsFacts(terms: Prize['terms']): Record<string, string> {
  if (terms === null) return {};
  const { successPercent, failPercent, turnoverTimes, games, withdrawMost, days } = terms;
  return {
    successPercent: `${successPercent} %`,
    failPercent: `${failPercent} %`,
    turnoverTimes: `${turnoverTimes} ×`,
    ...(games && {
      games: Object.entries(games)
        .map(([code, weight]) => `${code} ${weight} %`)
        .join(', '),
    }),
    ...(withdrawMost === null ? {} : { withdrawMost: `≤ ${withdrawMost.toLocaleString('en-US')}` }),
    days: String(days),
  };
}

/** What a checker is shown of so many coupons of a prize. */
export const summaryOf = (prize: PrizeColumns, coupons: number) => ({
  prize: prize.name,
  kind: prize.kind,
  value: worthOf(prize),
  ...(unitOf(prize) === 'COIN' ? {} : { unit: prize.currency }),
  coupons,
  ...termsFacts(prizeOf(prize).terms),
});
