import { IconButton } from '@krapao/ui/components/button.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './bell.module.css';
import { notificationsQuery } from './queries.ts';

/** Opens what happened to the member; a dot while some of it is unread. */
export default function Bell() {
  const { t } = useText();
  const { data } = useQuery(notificationsQuery(1));
  const unread = data?.unread ?? 0;
  const label = unread > 0 ? t('notify.unread', { count: unread }) : t('notify.title');
  return (
    <span className={styles.bell}>
      <IconButton icon={BellIcon} label={label} onClick={() => openSheet('notifications')} />
      {unread > 0 && <span className={styles.dot} />}
    </span>
  );
}
