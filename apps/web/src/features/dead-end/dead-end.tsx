import { BrandMark } from '@krapao/ui/parts/brand-mark.tsx';
import { Icon } from '@krapao/ui/parts/icon.tsx';
import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { useTitle } from '../../platform/use-title.ts';
import styles from './dead-end.module.css';

interface DeadEndProps {
  icon: IconNode;
  title: string;
  text: string;
  children?: ReactNode;
}

/** A page from which the app does not go on by itself. */
export function DeadEnd({ icon, title, text, children }: DeadEndProps) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <BrandMark />
      <span className={styles.sign}>
        <Icon of={icon} size={36} />
      </span>
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </main>
  );
}
