import { firstLetter } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import type { ReactNode } from 'react';
import styles from './greeting.module.css';

/** Who is signed in, and beside it the way to what is new. */
export function Greeting({ name, id, news }: { name: string; id: string; news: ReactNode }) {
  const { t } = useText();
  return (
    <div className={styles.greeting}>
      <span className={styles.avatar} aria-hidden="true">
        {firstLetter(name).toUpperCase()}
      </span>
      <div className={styles.who}>
        <h1>{name}</h1>
        <p>{t('profile.memberIdIs', { id })}</p>
      </div>
      <span className={styles.news}>{news}</span>
    </div>
  );
}
