import type { Currency } from '@krapao/contract/shared';
import { History } from 'lucide';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { amountText, CURRENCY_SYMBOL, cleanAmount, parseAmount, shortAmount } from '../text/amount-text.ts';
import { useText } from '../text/text.tsx';
import styles from './amount-field.module.css';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

interface AmountFieldProps {
  label: string;
  currency: Currency;
  /** The text of the field, as typed. */
  value: string;
  onChange: (typed: string) => void;
  hint?: React.ReactNode;
  isWrong?: boolean;
}

/** One big figure to type. Shows formatted money while it is not focused; reports an invalid amount at once. */
export function AmountField({ label, currency, value, onChange, hint, isWrong }: AmountFieldProps) {
  const { t } = useText();
  const id = useId();
  const [isTyping, setTyping] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The text is selected, so that the next digit replaces it instead of adding to it.
  useLayoutEffect(() => {
    if (isTyping) input.current?.select();
  }, [isTyping]);
  const amount = parseAmount(value, currency);
  const shown = isTyping || amount === null ? value : amountText(amount);
  const isUnreadable = amount === null && value !== '';
  const isBad = isWrong || isUnreadable;
  const message = isUnreadable ? t(currency === 'LAK' ? 'money.unreadableWhole' : 'money.unreadable') : hint;
  return (
    <div className={styles.group}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={cx(styles.box, isBad && styles.wrong)}>
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
          aria-invalid={isBad || undefined}
          aria-describedby={message ? `${id}-hint` : undefined}
          onFocus={() => setTyping(true)}
          onBlur={() => setTyping(false)}
          onChange={(event) => onChange(cleanAmount(event.target.value))}
        />
      </div>
      {message && (
        <p
          className={cx(styles.hint, isUnreadable && styles.unreadable)}
          id={`${id}-hint`}
          role={isUnreadable ? 'alert' : undefined}
        >
          {message}
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
  /** The amount last used, marked where it is among them. */
  last?: number | null | undefined;
  /** The amount in the field now. */
  chosen: number | null;
  onChoose: (amount: number) => void;
  /** The word on a first chip for no amount at all. */
  none?: string;
  /** One chip more, for the whole balance. */
  all?: { label: string; amount: number };
}

/** The longest figure that fits when five stand in a row. */
const ROW_LENGTH_MAX = 6;
const ROW_MAX = 5;

/** Amounts at one tap; up to five short ones stand in one row, all else three by three. */
export function QuickAmounts({ label, amounts, last, chosen, onChoose, none, all }: QuickAmountsProps) {
  const { t } = useText();
  const count = amounts.length + (all ? 1 : 0) + (none ? 1 : 0);
  if (count === 0) return null;
  const isShort = amounts.every((amount) => shortAmount(amount).length <= ROW_LENGTH_MAX);
  const columns = isShort && count <= ROW_MAX ? count : Math.min(count, 3);
  return (
    <fieldset
      className={cx(styles.quick, columns > 3 && styles.row)}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      <legend className={styles.hidden}>{label}</legend>
      {none && (
        <button type="button" aria-pressed={chosen === 0} onClick={() => onChoose(0)}>
          {none}
        </button>
      )}
      {amounts.map((amount) => (
        <button key={amount} type="button" aria-pressed={chosen === amount} onClick={() => onChoose(amount)}>
          {amount === last && (
            <>
              <Icon of={History} size={16} />
              <span className={styles.hidden}>{`${t('money.lastUsed')} `}</span>
            </>
          )}
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
