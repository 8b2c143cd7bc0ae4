import { type ReactNode, useId } from 'react';
import styles from './chips.module.css';

interface ChipsProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
  /** A control before the chips that scrolls with them. */
  lead?: ReactNode;
}

/** One of several in a row that scrolls sideways; radio buttons underneath, so arrow keys work. */
export function Chips<T extends string>({ label, options, value, onChange, lead }: ChipsProps<T>) {
  const name = useId();
  return (
    <div className={styles.row}>
      {lead}
      <fieldset className={styles.chips}>
        <legend className={styles.legend}>{label}</legend>
        {options.map((option) => (
          <label key={option.value} className={styles.chip}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
