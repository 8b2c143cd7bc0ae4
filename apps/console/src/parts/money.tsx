import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL, splitAmount } from '@krapao/ui/text/amount-text.ts';

/** The only place where the console draws money: tabular digits, smaller decimals, never broken over lines. */
export function Money({
  amount,
  currency,
  sign,
  size,
}: {
  amount: number;
  currency?: Currency;
  sign?: boolean;
  size?: number;
}) {
  const { head, tail } = splitAmount(Math.abs(amount));
  const before = amount < 0 ? '−' : sign ? '+' : '';
  return (
    <span
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', fontWeight: 600, fontSize: size }}
    >
      {before}
      {currency && CURRENCY_SYMBOL[currency]}
      {head}
      <span style={{ fontSize: '0.82em' }}>{tail}</span>
    </span>
  );
}
