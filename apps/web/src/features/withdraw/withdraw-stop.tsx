import type { MemberApi } from '@krapao/contract/member';
import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Clock, MessageCircle, Wallet } from 'lucide';
import { navigate } from 'wouter/use-browser-location';
import { isOpenRange, withdrawRange } from '../../platform/member/amount-range.ts';
import type { Run } from '../../platform/member/bonus-run.ts';
import { BonusStop } from '../../platform/member/bonus-stop.tsx';
import { usePlayStop } from '../../platform/member/play-stop.tsx';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import type { WalletReply } from '../../platform/member/wallet-merge.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import { openSupport } from '../../platform/support.ts';

type Limits = MemberApi['GET /api/lookup/withdraw']['reply'];

/** Why nothing can be withdrawn now; null when something can. */
export type WithdrawStop = 'closed' | 'bonus' | 'open' | 'little';

/** The first reason for which any withdrawal would be refused. */
export function withdrawStop(wallet: WalletReply, limits: Limits, run: Run | null): WithdrawStop | null {
  if (!limits.isOpen) return 'closed';
  if (run) return 'bonus';
  if (limits.hasOpen) return 'open';
  return isOpenRange(withdrawRange(wallet, limits)) ? null : 'little';
}

/** Shows why nothing can be withdrawn now, in place of the form, with the next step. */
export function StopView({ stop, limits, run }: { stop: WithdrawStop; limits: Limits; run: Run | null }) {
  const { t } = useText();
  const wallet = useKnownWallet();
  // Deposits are closed too: only support can pay out what is below the minimum.
  const isStopped = usePlayStop() !== null;
  const { currency } = wallet.wallet;
  if (stop === 'bonus' && run) return <BonusStop run={run} then={t('bonus.thenWithdraw')} />;
  if (stop === 'open')
    return (
      <EmptyState icon={Clock} text={t('withdraw.oneOpen')}>
        <Button tone="soft" isSmall onClick={() => navigate('/user/statement')}>
          {t('withdraw.seeOpen')}
        </Button>
      </EmptyState>
    );
  if (stop === 'little')
    return (
      <EmptyState
        icon={Wallet}
        text={t('withdraw.tooLittle', {
          min: sumText(t, limits.withdrawMin, currency),
          total: sumText(t, withdrawRange(wallet, limits).available, currency),
        })}
      >
        {isStopped ? (
          <Button tone="soft" isSmall icon={MessageCircle} onClick={() => openSupport()}>
            {t('limit.contact')}
          </Button>
        ) : (
          <Button tone="soft" isSmall onClick={() => openSheet('deposit')}>
            {t('deposit.title')}
          </Button>
        )}
      </EmptyState>
    );
  return <EmptyState text={t('withdraw.stopped')} />;
}
