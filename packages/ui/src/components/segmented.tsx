import type { IconNode } from 'lucide';
import { useId } from 'react';
import { Icon } from './icon.tsx';
import styles from './segmented.module.css';

interface SegmentedProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string; icon?: IconNode }[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, side by side; radio buttons underneath, so arrow keys work. */
export function Segmented<T extends string>({ label, options, value, onChange }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.segmented}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.track}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.icon && <Icon of={option.icon} size={20} />}
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
