import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { homeBannersQuery } from '../../platform/member/queries.ts';
import { useWallet } from '../../platform/member/wallet.ts';
import type { WalletReply } from '../../platform/member/wallet-merge.ts';
import { useSite } from '../../platform/site-info.ts';
import { useTitle } from '../../platform/use-title.ts';
import { HomeBanners } from './home-banners.tsx';
import { HomeGames } from './home-games.tsx';
import { HomeMoney, PLACES } from './home-money.tsx';
import styles from './home-page.module.css';
import { useAgreement } from './use-agreement.ts';

const GAMES_PLACE = 232;

/** `news` is the link to the news; its space is reserved. */
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
        <Skeleton heights={[...PLACES, GAMES_PLACE]} />
      )}
    </main>
  );
}

function Home({ wallet, news }: { wallet: WalletReply; news: ReactNode }) {
  // The games wait for the banners above them: later ones would move them under the reader's finger.
  const { isFetched } = useQuery(homeBannersQuery);
  return (
    <main className={styles.home}>
      <HomeMoney wallet={wallet} news={news} isHome />
      <div className={styles.main}>
        <HomeBanners />
        {isFetched ? <HomeGames wallet={wallet} /> : <Skeleton heights={[GAMES_PLACE]} />}
      </div>
    </main>
  );
}
