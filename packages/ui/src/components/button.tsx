import type { IconNode } from 'lucide';
import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';

export type ButtonTone = 'primary' | 'soft' | 'line' | 'text' | 'bad' | 'gold' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone;
  isSmall?: boolean;
  isWide?: boolean;
  /** While true the button cannot be pressed again and says that it works. */
  isBusy?: boolean;
  icon?: IconNode;
}

/** The product's button; 52 px high, small 48. */
export function Button({
  tone = 'primary',
  isSmall,
  isWide,
  isBusy,
  icon,
  children,
  disabled,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(styles.button, styles[tone], isSmall && styles.small, isWide && styles.wide, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <span className={styles.spinner} /> : icon && <Icon of={icon} size={20} />}
      {children}
    </button>
  );
}

/** Looks of a button for a link. */
export const buttonClass = (tone: ButtonTone, isWide = false): string =>
  cx(styles.button, styles[tone], isWide && styles.wide);

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconNode;
  label: string;
  size?: number;
}

/** A 48 px round target around an icon. */
export function IconButton({ icon, label, size, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={cx(styles.round, className)} aria-label={label}>
      <Icon of={icon} size={size} />
    </button>
  );
}
