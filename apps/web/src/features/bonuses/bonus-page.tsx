import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { BadgePercent, TicketPercent } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { runOf } from '../../platform/member/bonus-run.ts';
import { isPlayStop, PlayStop } from '../../platform/member/play-stop.tsx';
import { activeBonusQuery, queryClient, spinActiveQuery } from '../../platform/member/queries.ts';
import { useFreshGames, useWallet } from '../../platform/member/wallet.ts';
import { totals } from '../../platform/member/wallet-merge.ts';
import page from '../../platform/page.module.css';
import { openSheet } from '../../platform/sheet-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import { ActiveRun } from './active-run.tsx';
import styles from './bonus.module.css';
import { BonusCard } from './bonus-card.tsx';
import { CodeSearch } from './code-search.tsx';
import { type Finished, FinishedRun } from './finished-run.tsx';
import { bonusesQuery } from './queries.ts';

/** Bonuses and promotions: the run under way or the way to a promotion's code, and all bonuses on offer. */
export default function BonusPage() {
  const { t } = useText();
  const { data: wallet } = useWallet();
  useTitle(t('bonus.page'));
  return (
    <main className={page.page}>
      <h1>{t('bonus.page')}</h1>
      {wallet ? (
        <>
          <Run total={totals(wallet).total} />
          <CouponsLink />
          <Bonuses />
        </>
      ) : (
        <Skeleton heights={[214, 186, 186]} />
      )}
    </main>
  );
}

/** The run by game balances read afresh, and read again whenever the member's money has moved. */
function Run({ total }: { total: number }) {
  const { t } = useText();
  useFreshGames();
  const { data, error, refetch } = useQuery(activeBonusQuery);
  const [finished, setFinished] = useState<Finished | null>(null);
  const seen = useRef(total);
  useEffect(() => {
    if (seen.current === total) return;
    seen.current = total;
    queryClient.invalidateQueries({ queryKey: ['bonus'] });
  }, [total]);
  const run = runOf(data);
  if (finished) return <FinishedRun {...finished} onClose={() => setFinished(null)} />;
  if (run) return <ActiveRun run={run} onFinish={setFinished} />;
  if (data) return <CodeSearch />;
  if (!error) return <Skeleton heights={[88]} />;
  return (
    <section className={layout.card}>
      <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
    </section>
  );
}

/** The link to the coupons of a member who has any, whether or not a wheel turns. */
function CouponsLink() {
  const { t } = useText();
  const { data } = useQuery(spinActiveQuery);
  if (!data?.coupons) return null;
  return (
    <div className={layout.card}>
      <Item
        lead={<BadgeIcon icon={TicketPercent} tone="gold" />}
        title={t('coupon.mine')}
        detail={t('coupon.waiting', { count: data.coupons })}
        onPress={() => openSheet('wheel')}
      />
    </div>
  );
}

function Bonuses() {
  const { t } = useText();
  const { data: last, error, refetch } = useQuery(bonusesQuery);
  // An excluded member is not shown offers, cached ones included.
  const data = isPlayStop(error) ? undefined : last;
  if (!data && !error) return <Skeleton heights={[186, 186]} />;
  return (
    <section className={layout.stack} aria-labelledby="bonuses">
      <h2 id="bonuses">{t('bonus.all')}</h2>
      {data && data.length > 0 ? (
        <ul className={styles.grid}>
          {data.map((bonus) => (
            <BonusCard key={bonus.code} bonus={bonus} />
          ))}
        </ul>
      ) : isPlayStop(error) ? (
        <PlayStop error={error} />
      ) : (
        <div className={layout.card}>
          {data ? (
            <EmptyState icon={BadgePercent} text={t('bonus.none')} />
          ) : (
            <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
          )}
        </div>
      )}
    </section>
  );
}
