import { BrandMark } from '@krapao/ui/components/brand-mark.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { useTitle } from '../../platform/use-title.ts';
import styles from './dead-end.module.css';

interface DeadEndBodyProps {
  icon: IconNode;
  title: string;
  text: string;
  children?: ReactNode;
}

interface DeadEndProps extends DeadEndBodyProps {
  /** The title of the browser's tab: a fixed text in every language, so that it can be searched for. */
  tab: 'Page Not Found' | 'Page not found';
}

/** A page from which the app does not go on by itself. */
export function DeadEnd({ tab, ...body }: DeadEndProps) {
  useTitle(tab);
  return <DeadEndBody {...body} />;
}

/** The same without a title of its own. */
export function DeadEndBody({ icon, title, text, children }: DeadEndBodyProps) {
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
