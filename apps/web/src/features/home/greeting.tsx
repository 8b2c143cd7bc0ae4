import { firstLetter } from '@krapao/ui/text/account-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import styles from './greeting.module.css';

/** Who is signed in. */
export function Greeting({ name, id }: { name: string; id: string }) {
  const { t } = useText();
  return (
    <div className={styles.greeting}>
      <span className={styles.avatar} aria-hidden="true">
        {firstLetter(name).toUpperCase()}
      </span>
      <div>
        <h1>{name}</h1>
        <p>{t('profile.memberIdIs', { id })}</p>
      </div>
    </div>
  );
}
