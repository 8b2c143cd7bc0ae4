import { Skeleton } from '@krapao/ui/components/load-state.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import type { ReactNode } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { useFreshGames, useWallet } from '../../platform/member/wallet.ts';
import type { WalletReply } from '../../platform/member/wallet-merge.ts';
import { Greeting } from './greeting.tsx';
import { HomeActions } from './home-actions.tsx';
import { HomeBalance } from './home-balance.tsx';
import { HomeNews } from './home-banners.tsx';
import styles from './home-page.module.css';

/** Where name, balance and actions will stand. */
export const PLACES = [44, 196, 88, 88] as const;

interface HomeMoneyProps {
  wallet: WalletReply;
  /** The link to the news; its space is reserved. */
  news: ReactNode;
  /** On the home screen the member's name is the heading of the page. */
  isHome?: boolean;
}

/** What the member has and can do with it: name, balance, the six actions, what operators want known. */
export function HomeMoney({ wallet, news, isHome }: HomeMoneyProps) {
  const { t } = useText();
  const { isRefreshing, refresh } = useFreshGames((error) => showToast('bad', errorText(t, error)));
  return (
    <div className={styles.side}>
      <Greeting name={wallet.profile.name} id={wallet.profile._id} news={news} isHeading={isHome} />
      <HomeBalance wallet={wallet} isRefreshing={isRefreshing} onRefresh={refresh} />
      <HomeActions wallet={wallet} onRefresh={refresh} />
      <HomeNews />
    </div>
  );
}

/** The same beside another page, once the wallet is known. */
export function MoneyBeside({ news }: { news: ReactNode }) {
  const { data, isError } = useWallet();
  if (data) return <HomeMoney wallet={data} news={news} />;
  return !isError && <Skeleton heights={PLACES} />;
}
