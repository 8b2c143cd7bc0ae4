import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL, type Sign, splitAmount } from '../text/amount-text.ts';
import { cx } from './class-names.ts';
import styles from './money.module.css';

interface MoneyProps {
  amount: number;
  /** Leaves the symbol out when missing. */
  currency?: Currency;
  /** Before the figure; a minus before negative amounts where not given. */
  sign?: Sign;
  /** Draws the symbol small and light, for big figures. */
  isBig?: boolean;
  /** Dots instead of the figure. */
  isHidden?: boolean;
  isStruck?: boolean;
  /** Font size in pixels; that of the text around it where not given. */
  size?: number;
}

const DOTS = '••••••';

/** The only place where money is drawn: tabular digits, smaller decimals, never broken over lines. */
export function Money(props: MoneyProps) {
  const { amount, currency, sign = amount < 0 ? '−' : '', isBig, isHidden, isStruck, size } = props;
  const { head, tail } = splitAmount(Math.abs(amount));
  const symbol = currency && CURRENCY_SYMBOL[currency];
  return (
    <span
      className={cx(styles.money, isStruck && styles.struck)}
      style={size ? { fontSize: size } : undefined}
    >
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
