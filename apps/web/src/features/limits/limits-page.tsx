import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { BellRing, ChevronLeft, CirclePause, HandHelping, Headset, Hourglass } from 'lucide';
import type { ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { limitsQuery } from '../../platform/member/queries.ts';
import { useWallet } from '../../platform/member/wallet.ts';
import page from '../../platform/page.module.css';
import { openSheet } from '../../platform/sheet-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import { useLimitTexts } from './limit-texts.ts';
import styles from './limits.module.css';
import type { Limit, PlayLimits } from './queries.ts';

/** A member's own limits, reminder, time-out and self-exclusion. */
export default function LimitsPage() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(limitsQuery);
  const { data: wallet } = useWallet();
  useTitle(t('limit.page'));
  return (
    <main className={page.page}>
      <header>
        <Link to="/user/profile" className={styles.back}>
          <Icon of={ChevronLeft} size={20} />
          {t('nav.profile')}
        </Link>
        <h1>{t('limit.page')}</h1>
      </header>
      {data && wallet ? (
        <Limits of={data} />
      ) : error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={[192, 192, 64, 128]} />
      )}
    </main>
  );
}

function Limits({ of: { limits, break: exclusion } }: { of: PlayLimits }) {
  const { t } = useText();
  const of = (kind: Limit['kind']) => limits.filter((limit) => limit.kind === kind);
  return (
    <>
      {exclusion && (
        <MessageBox
          tone="warn"
          icon={CirclePause}
          title={
            exclusion.until === null
              ? t('limit.excludedForGood')
              : t('limit.exclusionUntil', { time: dateTimeText(exclusion.until) })
          }
        >
          {t('limit.exclusionOpen')}
        </MessageBox>
      )}
      <Rows title={t('limit.deposit')} limits={of('deposit')} />
      <Rows title={t('limit.loss')} limits={of('loss')} />
      <Group title={t('limit.reminder')}>
        {of('reminder').map((limit) => (
          <Reminder key={limit.kind} limit={limit} />
        ))}
      </Group>
      <Group title={t('limit.timeout')}>
        <Item
          lead={<BadgeIcon icon={Hourglass} tone="quiet" />}
          title={t('limit.timeout')}
          detail={t('limit.timeoutLead')}
          onPress={() => openSheet('exclusion', 'timeOut')}
        />
        <Item
          lead={<BadgeIcon icon={HandHelping} tone="quiet" />}
          title={t('limit.exclude')}
          detail={t('limit.excludeLead')}
          onPress={() => openSheet('exclusion', 'exclude')}
        />
      </Group>
      <Group title={t('limit.help')}>
        <Help />
        <Item
          lead={<BadgeIcon icon={Headset} tone="quiet" />}
          title={t('limit.contact')}
          onPress={() => navigate('/user/contact')}
        />
      </Group>
    </>
  );
}

const helpQuery = queryOptions({
  queryKey: ['lookup', 'help'],
  queryFn: () => api('GET /api/help'),
});

/** Operators' words on where help is to be had. */
function Help() {
  const { data } = useQuery(helpQuery);
  return data?.help.map((markup) => (
    <div key={markup} className={layout.pad}>
      <CleanHtml markup={markup} />
    </div>
  ));
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h2 className={layout.groupTitle}>{title}</h2>
      <div className={`${layout.card} ${layout.list}`}>{children}</div>
    </section>
  );
}

const open = ({ kind, period }: Limit) => openSheet('limit', `${kind}:${period}`);

function Rows({ title, limits }: { title: string; limits: Limit[] }) {
  const texts = useLimitTexts();
  return (
    <Group title={title}>
      {limits.map((limit) => (
        <Item
          key={limit.period}
          title={texts.periodOf(limit.period)}
          detail={<State of={limit} />}
          onPress={() => open(limit)}
        />
      ))}
    </Group>
  );
}

function Reminder({ limit }: { limit: Limit }) {
  const { t } = useText();
  return (
    <Item
      lead={<BadgeIcon icon={BellRing} tone="quiet" />}
      title={t('limit.reminder')}
      detail={<State of={limit} />}
      onPress={() => open(limit)}
    />
  );
}

/** The state of a limit, and under it its pending change. */
function State({ of: limit }: { of: Limit }) {
  const texts = useLimitTexts();
  const next = texts.nextOf(limit);
  return (
    <>
      {texts.stateOf(limit)}
      {next && <span className={styles.next}>{next}</span>}
    </>
  );
}
