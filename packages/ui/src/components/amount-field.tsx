import type { Currency } from '@krapao/contract/shared';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { amountText, CURRENCY_SYMBOL, cleanAmount, parseAmount, shortAmount } from '../text/amount-text.ts';
import styles from './amount-field.module.css';
import { cx } from './class-names.ts';

interface AmountFieldProps {
  label: string;
  currency: Currency;
  /** What stands in the field, as typed. */
  value: string;
  onChange: (typed: string) => void;
  hint?: React.ReactNode;
  isWrong?: boolean;
}

/** One big figure to type. While it is not being typed in it reads as money. */
export function AmountField({ label, currency, value, onChange, hint, isWrong }: AmountFieldProps) {
  const id = useId();
  const [isTyping, setTyping] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // What stands there is chosen, so that the next digit replaces it instead of adding to it.
  useLayoutEffect(() => {
    if (isTyping) input.current?.select();
  }, [isTyping]);
  const amount = parseAmount(value, currency);
  const shown = isTyping || amount === null ? value : amountText(amount);
  return (
    <div className={styles.group}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={cx(styles.box, isWrong && styles.wrong)}>
        <span className={styles.symbol} aria-hidden="true">
          {CURRENCY_SYMBOL[currency]}
        </span>
        <input
          ref={input}
          id={id}
          className={styles.input}
          style={{ width: `${widthOf(shown)}ch` }}
          inputMode={currency === 'LAK' ? 'numeric' : 'decimal'}
          autoComplete="off"
          enterKeyHint="done"
          placeholder="0"
          value={shown}
          aria-invalid={isWrong || undefined}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onFocus={() => setTyping(true)}
          onBlur={() => setTyping(false)}
          onChange={(event) => onChange(cleanAmount(event.target.value, currency))}
        />
      </div>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Room for the figure in digit widths; a comma or a point takes about half of one. */
function widthOf(figure: string): number {
  const marks = figure.match(/[,.]/g)?.length ?? 0;
  return Math.max(figure.length - marks / 2, 2);
}

interface QuickAmountsProps {
  label: string;
  amounts: readonly number[];
  /** The amount that stands in the field now. */
  chosen: number | null;
  onChoose: (amount: number) => void;
  /** One chip more, for the whole balance. */
  all?: { label: string; amount: number };
}

/** The longest figure that fits when five stand in a row. */
const ROW_LENGTH_MAX = 6;

/** Amounts at one tap; five short ones stand in one row, all else in two. */
export function QuickAmounts({ label, amounts, chosen, onChoose, all }: QuickAmountsProps) {
  const isShort = amounts.every((amount) => shortAmount(amount).length <= ROW_LENGTH_MAX);
  const isRow = isShort && amounts.length + (all ? 1 : 0) === 5;
  return (
    <fieldset className={cx(styles.quick, isRow && styles.row)}>
      <legend className={styles.hidden}>{label}</legend>
      {amounts.map((amount) => (
        <button key={amount} type="button" aria-pressed={chosen === amount} onClick={() => onChoose(amount)}>
          {shortAmount(amount)}
        </button>
      ))}
      {all && (
        <button
          type="button"
          aria-pressed={chosen === all.amount && all.amount > 0}
          onClick={() => onChoose(all.amount)}
        >
          {all.label}
        </button>
      )}
    </fieldset>
  );
}
