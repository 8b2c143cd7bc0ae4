import { Check } from 'lucide';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './stepper.module.css';

/** The steps of a wizard: done, present and to come. */
export function Stepper({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol className={styles.stepper}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={cx(index < current && styles.done, index === current && styles.now)}
          aria-current={index === current ? 'step' : undefined}
        >
          <i>{index < current ? <Icon of={Check} size={16} stroke={2.5} /> : index + 1}</i>
          {step}
        </li>
      ))}
    </ol>
  );
}
