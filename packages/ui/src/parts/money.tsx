import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL, splitAmount } from '../text/amount-text.ts';
import { cx } from './class-names.ts';
import styles from './money.module.css';

interface MoneyProps {
  amount: number;
  /** Leaves the symbol out when missing. */
  currency?: Currency;
  sign?: '+' | '−' | '';
  /** Draws the symbol small and light, for big figures. */
  isBig?: boolean;
  /** Dots instead of the figure. */
  isHidden?: boolean;
  isStruck?: boolean;
}

const DOTS = '••••••';

/** The only place where money is drawn: tabular digits, smaller decimals, never broken over lines. */
export function Money({ amount, currency, sign = '', isBig, isHidden, isStruck }: MoneyProps) {
  const { head, tail } = splitAmount(amount);
  const symbol = currency && CURRENCY_SYMBOL[currency];
  return (
    <span className={cx(styles.money, isStruck && styles.struck)}>
      {sign}
      {symbol && <span className={isBig ? styles.symbol : undefined}>{symbol}</span>}
      {isHidden ? (
        DOTS
      ) : (
        <>
          {head}
          <span className={styles.tail}>{tail}</span>
        </>
      )}
    </span>
  );
}
