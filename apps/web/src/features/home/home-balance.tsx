import { BalanceCard } from '@krapao/ui/components/balance-card.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { isHomeKnown } from '../../platform/member/kept-home.ts';
import { useIsLive } from '../../platform/member/live.ts';
import { useWallet } from '../../platform/member/wallet.ts';
import { totals, type WalletReply } from '../../platform/member/wallet-merge.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { readStored } from '../../platform/storage.ts';
import { useIsOnline } from '../../platform/use-online.ts';
import { toggleBalanceHidden, useBalanceHidden } from './use-balance-hidden.ts';

interface HomeBalanceProps {
  wallet: WalletReply;
  isRefreshing: boolean;
  onRefresh: () => void;
}

/**
 * The balance with its age: the last time the games were asked, or the wallet where no game is open. Without a
 * connection it is marked as old, with the time the wallet was last heard of.
 */
export function HomeBalance({ wallet, isRefreshing, onRefresh }: HomeBalanceProps) {
  const { t } = useText();
  const isLive = useIsLive();
  const isHidden = useBalanceHidden();
  const { dataUpdatedAt, isError } = useWallet();
  const isOld = !useIsOnline() || isError;
  const updatedAt = wallet.lastSync ?? readStored('last_sync') ?? dataUpdatedAt;
  const sums = totals(wallet);
  return (
    <BalanceCard
      {...sums}
      currency={wallet.wallet.currency}
      age={
        isOld
          ? t('money.oldAt', { time: dateTimeText(dataUpdatedAt) })
          : t('money.updatedAt', { time: dateTimeText(updatedAt) })
      }
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
