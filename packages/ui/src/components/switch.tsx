import type { ReactNode } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  title: ReactNode;
  detail?: ReactNode;
  isOn: boolean;
  /** While true it cannot be pressed. */
  isBusy?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A row that is on or off; a checkbox underneath, so that the space bar works. */
export function Switch({ title, detail, isOn, isBusy, onChange }: SwitchProps) {
  return (
    <label className={styles.row}>
      <span className={styles.texts}>
        <span className={styles.title}>{title}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={isOn}
        aria-checked={isOn}
        disabled={isBusy}
        onChange={() => onChange(!isOn)}
      />
    </label>
  );
}
