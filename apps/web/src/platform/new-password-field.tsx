import { PasswordField } from '@krapao/ui/components/field.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { type ComponentProps, useState } from 'react';
import styles from './new-password-field.module.css';
import { type PasswordStrength, passwordStrength } from './password-strength.ts';

const HINTS = {
  short: 'password.short',
  weak: 'password.weak',
  fair: 'password.fair',
  strong: 'password.strong',
} as const satisfies Record<PasswordStrength, string>;

/** A password being chosen, with a hint how hard it is to guess. The hint refuses nothing. */
export function NewPasswordField({
  defaultValue = '',
  ...field
}: Omit<ComponentProps<typeof PasswordField>, 'hint' | 'onInput' | 'autoComplete'> & {
  defaultValue?: string;
}) {
  const { t } = useText();
  const [strength, setStrength] = useState(() => passwordStrength(defaultValue));
  const hint = (
    <span className={styles.hint} data-strength={strength}>
      <span className={styles.meter} aria-hidden="true" />
      {t(HINTS[strength])}
    </span>
  );
  return (
    <PasswordField
      {...field}
      defaultValue={defaultValue}
      autoComplete="new-password"
      hint={hint}
      onInput={(event) => setStrength(passwordStrength(event.currentTarget.value))}
    />
  );
}
