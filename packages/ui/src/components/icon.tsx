import type { IconNode } from 'lucide';
import { createElement } from 'react';
import styles from './icon.module.css';

interface IconProps {
  /** A Lucide icon's data, imported by name so that only the drawn ones are shipped. */
  of: IconNode;
  /** Pixels; 24 by default. */
  size?: number;
  stroke?: number;
  className?: string;
}

/** An icon that says nothing to screen readers: the word beside it, or the button's label, does. */
export function Icon({ of, size = 24, stroke, className }: IconProps) {
  return (
    <svg
      className={className ? `${styles.icon} ${className}` : styles.icon}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      strokeWidth={stroke}
      aria-hidden="true"
    >
      {of.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
