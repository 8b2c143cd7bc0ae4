import { firstLetter } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import type { ReactNode } from 'react';
import styles from './greeting.module.css';

interface GreetingProps {
  name: string;
  id: string;
  news: ReactNode;
  isHeading?: boolean | undefined;
}

/** Who is signed in, and beside it the way to what is new. */
export function Greeting({ name, id, news, isHeading }: GreetingProps) {
  const { t } = useText();
  const Name = isHeading ? 'h1' : 'p';
  return (
    <div className={styles.greeting}>
      <span className={styles.avatar} aria-hidden="true">
        {firstLetter(name).toUpperCase()}
      </span>
      <div className={styles.who}>
        <Name className={styles.name}>{name}</Name>
        <p className={styles.id}>{t('profile.memberIdIs', { id })}</p>
      </div>
      <span className={styles.news} data-late>
        {news}
      </span>
    </div>
  );
}
