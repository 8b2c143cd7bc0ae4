import { type BankNames, bankNameIn } from '../text/bank-name.ts';
import { useText } from '../text/text.tsx';
import styles from './bank-select.module.css';
import { readableUnderWhite } from './readable-color.ts';
import { SelectField } from './select-field.tsx';

interface Bank extends BankNames {
  code: string;
  color: string | null;
}

/** A bank's coloured initials; no bank's logo is copied. A bank without a colour gets a quiet one. */
export function BankInitial({ code, color }: { code: string; color?: string | null }) {
  return (
    <span
      className={styles.initial}
      style={{ backgroundColor: readableUnderWhite(color ?? '') }}
      aria-hidden="true"
    >
      {code.slice(0, 2).toUpperCase()}
    </span>
  );
}

interface BankSelectProps {
  label: string;
  name?: string;
  banks: readonly Bank[];
  /** Shown first, in a group of their own. */
  recommended: readonly string[];
  value: string;
  error?: string | null;
  onChange: (code: string) => void;
}

/** The platform's picker of banks, with the chosen one's initials beside it. */
export function BankSelect({ label, name, banks, recommended, value, error, onChange }: BankSelectProps) {
  const { t, language, hold } = useText();
  const chosen = banks.find(({ code }) => code === value);
  const isFirst = ({ code }: Bank) => recommended.includes(code);
  const optionsOf = (some: readonly Bank[]) =>
    some.map((bank) => (
      <option key={bank.code} value={bank.code}>
        {hold(bankNameIn(bank, language))}
      </option>
    ));
  return (
    <div className={styles.pair}>
      <SelectField
        label={label}
        placeholder={t('bank.choose')}
        name={name}
        value={value}
        error={error ?? null}
        onChange={(event) => onChange(event.target.value)}
      >
        {banks.some(isFirst) ? (
          <>
            <optgroup label={t('bank.recommended')}>{optionsOf(banks.filter(isFirst))}</optgroup>
            <optgroup label={t('bank.others')}>{optionsOf(banks.filter((bank) => !isFirst(bank)))}</optgroup>
          </>
        ) : (
          optionsOf(banks)
        )}
      </SelectField>
      {chosen && <BankInitial code={chosen.code} color={chosen.color} />}
    </div>
  );
}
