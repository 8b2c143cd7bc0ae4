import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { homeBannersQuery } from '../../platform/member/queries.ts';
import { useRefresh, useWallet } from '../../platform/member/wallet.ts';
import type { WalletReply } from '../../platform/member/wallet-merge.ts';
import { useSite } from '../../platform/site-info.ts';
import { readStored } from '../../platform/storage.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Greeting } from './greeting.tsx';
import { HomeActions } from './home-actions.tsx';
import { HomeBalance } from './home-balance.tsx';
import { HomeBanners, HomeNews } from './home-banners.tsx';
import { HomeGames } from './home-games.tsx';
import styles from './home-page.module.css';
import { useAgreement } from './use-agreement.ts';

const GAMES_PLACE = 232;
const PLACES = [44, 196, 88, 88, GAMES_PLACE] as const;

/** `news` is the way to what is new; its place is kept. */
export default function HomePage({ news }: { news: ReactNode }) {
  const { t } = useText();
  const site = useSite();
  const { data, error, refetch } = useWallet();
  useTitle(site.name);
  useAgreement();
  if (data) return <Home wallet={data} news={news} />;
  return (
    <main className={styles.home}>
      {error ? (
        <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
      ) : (
        <Skeleton heights={PLACES} />
      )}
    </main>
  );
}

const STALE_MS = 60_000;

/** Games that nobody asked for a minute are asked when the home screen opens. */
function useFirstRefresh(wallet: WalletReply, refresh: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    const last = Date.parse(readStored('last_sync') ?? '');
    const hasGames = wallet.slots.some(({ isActive }) => isActive);
    if (hasGames && navigator.onLine && !(Date.now() - last < STALE_MS)) refresh();
  }, []);
}

function Home({ wallet, news }: { wallet: WalletReply; news: ReactNode }) {
  const { t } = useText();
  const { isRefreshing, refresh } = useRefresh((error) => showToast('bad', errorText(t, error)));
  useFirstRefresh(wallet, refresh);
  // The games wait for the banners above them: what came later would push them down under the reader's finger.
  const { isFetched } = useQuery(homeBannersQuery);
  return (
    <main className={styles.home}>
      <div className={styles.side}>
        <Greeting name={wallet.profile.name} id={wallet.profile._id} news={news} />
        <HomeBalance wallet={wallet} isRefreshing={isRefreshing} onRefresh={refresh} />
        <HomeActions wallet={wallet} onRefresh={refresh} />
        <HomeNews />
      </div>
      <div className={styles.main}>
        <HomeBanners />
        {isFetched ? <HomeGames wallet={wallet} /> : <Skeleton heights={[GAMES_PLACE]} />}
      </div>
    </main>
  );
}
