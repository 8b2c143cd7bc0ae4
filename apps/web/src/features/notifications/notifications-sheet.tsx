import { Button } from '@krapao/ui/components/button.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon, type BadgeTone } from '@krapao/ui/components/tile.tsx';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Bell,
  BellRing,
  Flag,
  Headset,
  type IconNode,
  IdCard,
  ShieldAlert,
} from 'lucide';
import { useEffect, useState } from 'react';
import { agoText } from '../../platform/ago-text.ts';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { closeSheet, openSheet } from '../../platform/sheet-state.ts';
import styles from './notifications-sheet.module.css';
import { openPlace } from './open-place.ts';
import { NOTIFICATION_LIMIT, type Notification, notificationsQuery } from './queries.ts';
import { useNotificationTexts } from './use-notification-texts.ts';

const PLACES = [72, 72, 72, 72];

/** What was on the first page has been read; the rows keep their dots for as long as they are looked at. */
function useReading(newest: string | undefined, unread: number): void {
  useEffect(() => {
    if (newest === undefined || unread === 0) return;
    api('POST /api/notifications/read', { body: { upTo: newest } }).then(
      ({ unread: left }) =>
        queryClient.setQueryData(
          notificationsQuery(1).queryKey,
          (known) => known && { ...known, unread: left },
        ),
      () => undefined,
    );
  }, [newest, unread]);
}

/** Everything that happened to the member, newest first; what is on the first page counts as read. */
export default function NotificationsSheet() {
  const { t } = useText();
  const [number, setNumber] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...notificationsQuery(number),
    placeholderData: keepPreviousData,
  });
  const isFirst = number === 1 && !isPlaceholderData;
  useReading(isFirst ? data?.notifications[0]?.id : undefined, data?.unread ?? 0);
  const foot = (
    <Button tone="soft" isWide icon={BellRing} onClick={() => openSheet('push')}>
      {t('push.title')}
    </Button>
  );
  return (
    <Sheet title={t('notify.title')} onClose={closeSheet} footer={foot}>
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={PLACES} />
        ))}
      {data?.total === 0 && <EmptyState icon={Bell} text={t('notify.empty')} />}
      {data && data.total > 0 && (
        <div className={`${layout.card} ${layout.list}`} aria-busy={isPlaceholderData}>
          <Rows of={data.notifications} />
        </div>
      )}
      {data && (
        <Pager
          page={number}
          pageCount={Math.ceil(data.total / NOTIFICATION_LIMIT)}
          onGo={(next) => setNumber(next)}
        />
      )}
    </Sheet>
  );
}

const APPEARANCE: Record<Notification['kind'], { icon: IconNode; tone: BadgeTone }> = {
  deposit: { icon: ArrowDownToLine, tone: 'brand' },
  withdraw: { icon: ArrowUpFromLine, tone: 'quiet' },
  bonus: { icon: Flag, tone: 'gold' },
  chat: { icon: Headset, tone: 'quiet' },
  login: { icon: ShieldAlert, tone: 'warn' },
  kyc: { icon: IdCard, tone: 'gold' },
  account: { icon: ShieldAlert, tone: 'warn' },
};

/** Leads to where more of it is to be seen. */
function follow({ kind, origin, subject }: Notification): void {
  if (kind === 'bonus') openPlace('/user/bonus');
  else if (kind === 'chat') history.pushState({ chat: true }, '');
  else if (kind === 'login') openSheet('devices');
  else if (kind === 'kyc') openSheet('kyc');
  else if (kind === 'account') openPlace('/user/profile');
  else if (origin === 'slip') openSheet('slips');
  else openSheet('receipt', subject);
}

function Rows({ of }: { of: Notification[] }) {
  const { t } = useText();
  const now = useNow(5_000);
  const textsOf = useNotificationTexts();
  return of.map((one) => {
    const { title, detail } = textsOf(one);
    const isUnpaid = (one.kind === 'withdraw' || one.kind === 'deposit') && one.status === 'FAILED';
    return (
      <Item
        key={one.id}
        lead={
          <BadgeIcon icon={APPEARANCE[one.kind].icon} tone={isUnpaid ? 'bad' : APPEARANCE[one.kind].tone} />
        }
        title={title}
        detail={
          <>
            {detail}
            <span className={styles.when}>{agoText(t, one.createdAt, now)}</span>
          </>
        }
        trail={
          one.isRead ? undefined : <span className={styles.dot} role="img" aria-label={t('notify.isNew')} />
        }
        onPress={() => follow(one)}
      />
    );
  });
}
