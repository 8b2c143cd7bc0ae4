import { CircleAlert, Eye, EyeOff, type IconNode, Lock, Phone } from 'lucide';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useText } from '../text/text.tsx';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  icon?: IconNode;
  hint?: ReactNode;
  error?: string | null;
  trail?: ReactNode;
}

/** A labelled text input with an optional icon, hint and error. Uncontrolled unless given a value. */
export function Field({ label, icon, hint, error, trail, ...input }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={cx(styles.box, error && styles.error)} data-locked={input.readOnly || undefined}>
        {icon && <Icon of={icon} size={20} />}
        <input
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : undefined}
        />
        {trail}
      </div>
      {note && <Note id={noteId} text={note} isBad={Boolean(error)} />}
    </div>
  );
}

/** The hint or the error under a field. */
export function Note({ id, text, isBad }: { id: string; text: ReactNode; isBad: boolean }) {
  return (
    <p id={id} className={isBad ? styles.bad : styles.hint}>
      {isBad && <Icon of={CircleAlert} size={16} />}
      <span>{text}</span>
    </p>
  );
}

type Ready = Omit<FieldProps, 'icon' | 'type' | 'trail'>;

/** A phone number as typed; the keypad of digits opens on phones. */
export function PhoneField(props: Ready) {
  return <Field {...props} icon={Phone} type="tel" inputMode="tel" autoCapitalize="off" />;
}

/** A password that can be shown while typing. */
export function PasswordField(props: Ready) {
  const { t } = useText();
  const [isShown, setShown] = useState(false);
  const toggle = (
    <IconButton
      className={styles.trail}
      icon={isShown ? EyeOff : Eye}
      size={20}
      label={isShown ? t('auth.hidePassword') : t('auth.showPassword')}
      aria-pressed={isShown}
      onClick={() => setShown(!isShown)}
    />
  );
  return (
    <Field
      {...props}
      icon={Lock}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      trail={toggle}
    />
  );
}

/** A check box with its words; the whole line is the target. */
export function CheckField({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className={styles.check}>
      <input {...input} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
