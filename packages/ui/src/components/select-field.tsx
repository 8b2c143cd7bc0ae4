import { type ComponentProps, useId } from 'react';
import { cx } from './class-names.ts';
import styles from './field.module.css';
import { Note } from './field.tsx';

interface SelectFieldProps extends ComponentProps<'select'> {
  label: string;
  placeholder: string;
  error?: string | null;
}

/** The platform's own picker, dressed like a field. */
export function SelectField({ label, placeholder, error, children, ...select }: SelectFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={cx(styles.box, styles.select, error && styles.error)}>
        <select
          {...select}
          id={id}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? noteId : undefined}
        >
          <option value="">{placeholder}</option>
          {children}
        </select>
      </div>
      {error && <Note id={noteId} text={error} isBad />}
    </div>
  );
}
