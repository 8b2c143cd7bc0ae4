import { asciiDigits, OTP_DIGITS } from '@krapao/contract/shared';
import { cx } from './class-names.ts';
import styles from './otp.module.css';

interface OtpProps {
  label: string;
  value: string;
  onChange: (digits: string) => void;
  isWrong?: boolean;
  /** Shows dots instead of digits. */
  isSecret?: boolean;
}

const PLACES = Array.from({ length: OTP_DIGITS }, (_, index) => index);

/**
 * Six boxes over one real input: the keyboard's suggestion, pasting and screen readers see a single field, the eye
 * sees one digit a box.
 */
export function Otp({ label, value, onChange, isWrong, isSecret }: OtpProps) {
  return (
    <div className={cx(styles.otp, isWrong && styles.wrong)}>
      <input
        className={styles.input}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        value={value}
        inputMode="numeric"
        type={isSecret ? 'password' : 'text'}
        autoComplete="one-time-code"
        pattern="\d*"
        // biome-ignore lint/a11y/noAutofocus: the step exists to type this code, it is the first field
        autoFocus
        onChange={(event) =>
          onChange(asciiDigits(event.target.value).replace(/\D/g, '').slice(0, OTP_DIGITS))
        }
      />
      {PLACES.map((place) => (
        <span
          key={place}
          className={cx(place < value.length && styles.full, place === value.length && styles.next)}
          aria-hidden="true"
        >
          {isSecret && value[place] ? '•' : value[place]}
        </span>
      ))}
    </div>
  );
}
