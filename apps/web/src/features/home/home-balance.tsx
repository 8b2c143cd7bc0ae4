import { BalanceCard } from '@krapao/ui/components/balance-card.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useIsLive } from '../../platform/member/live.ts';
import { isHomeKnown } from '../../platform/member/stored-home.ts';
import { useWallet } from '../../platform/member/wallet.ts';
import { totals, type WalletReply } from '../../platform/member/wallet-merge.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { readStored } from '../../platform/storage.ts';
import { sumText } from '../../platform/sum-text.ts';
import { useIsOnline } from '../../platform/use-online.ts';
import { toggleBalanceHidden, useBalanceHidden } from './use-balance-hidden.ts';

interface HomeBalanceProps {
  wallet: WalletReply;
  isRefreshing: boolean;
  onRefresh: () => void;
}

/**
 * The balance with its age: the last reading of the games, or the wallet where no game is open; or with what is on its way
 * to a game. Without a connection it is marked as old, with the time of the last wallet response.
 */
export function HomeBalance({ wallet, isRefreshing, onRefresh }: HomeBalanceProps) {
  const { t } = useText();
  const isLive = useIsLive();
  const isHidden = useBalanceHidden();
  const { dataUpdatedAt, isError } = useWallet();
  const isOld = !useIsOnline() || isError;
  const updatedAt = wallet.lastSync ?? readStored('last_sync') ?? dataUpdatedAt;
  const sums = totals(wallet);
  const { currency, onTheWay = 0 } = wallet.wallet;
  const state =
    onTheWay > 0 && !isHidden
      ? t('money.onTheWay', { sum: sumText(t, onTheWay, currency) })
      : t('money.updatedAt', { time: dateTimeText(updatedAt) });
  return (
    <BalanceCard
      {...sums}
      currency={currency}
      age={isOld ? t('money.oldAt', { time: dateTimeText(dataUpdatedAt) }) : state}
      isOld={isOld}
      isKnown={isHomeKnown()}
      isLive={isLive}
      isHidden={isHidden}
      isRefreshing={isRefreshing}
      onToggleHidden={toggleBalanceHidden}
      onRefresh={onRefresh}
      onTransfer={() => openSheet('transfer')}
    />
  );
}
