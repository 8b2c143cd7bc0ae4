import { Button } from '@krapao/ui/components/button.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { BadgeIcon, Tile, Tiles } from '@krapao/ui/components/tile.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgePercent,
  Gift,
  HandCoins,
  LoaderPinwheel,
  RefreshCw,
  TicketPercent,
  UserPlus,
} from 'lucide';
import { navigate } from 'wouter/use-browser-location';
import { activeBonusQuery, spinActiveQuery } from '../../platform/member/queries.ts';
import type { WalletReply } from '../../platform/member/wallet-merge.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './home-actions.module.css';

/** The reward that waits, if any, and the six actions. */
export function HomeActions({ wallet, onRefresh }: { wallet: WalletReply; onRefresh: () => void }) {
  const { t } = useText();
  return (
    <>
      {wallet.invite.amount > 0 && <InviteReward wallet={wallet} />}
      <Tiles>
        <Tile
          icon={ArrowDownToLine}
          tone="solid"
          label={t('deposit.tile')}
          onPress={() => openSheet('deposit')}
        />
        <Tile icon={ArrowUpFromLine} label={t('withdraw.tile')} onPress={() => openSheet('withdraw')} />
        <WheelTile coins={wallet.profile.coin} onRefresh={onRefresh} />
        <Tile icon={UserPlus} label={t('invite.title')} onPress={() => openSheet('invite')} />
        <BonusTile />
        <Tile icon={HandCoins} label={t('refund.title')} onPress={() => openSheet('refund')} />
      </Tiles>
    </>
  );
}

/** The wheel's place; while no wheel turns it leads to the member's coupons, or refreshes the balance without any. */
function WheelTile({ coins, onRefresh }: { coins: number; onRefresh: () => void }) {
  const { t } = useText();
  const { data } = useQuery(spinActiveQuery);
  if (data?.isActive) {
    return (
      <Tile
        icon={LoaderPinwheel}
        tone="gold"
        label={t('wheel.spin')}
        badge={coins}
        badgeLabel={t('wheel.yourCoins', { count: coins })}
        onPress={() => openSheet('wheel')}
      />
    );
  }
  if (data && data.coupons > 0) {
    return (
      <Tile
        icon={TicketPercent}
        tone="gold"
        label={t('coupon.mine')}
        badge={data.coupons}
        badgeLabel={t('coupon.waiting', { count: data.coupons })}
        onPress={() => openSheet('wheel')}
      />
    );
  }
  return <Tile icon={RefreshCw} label={t('btn.refresh')} onPress={onRefresh} />;
}

/** The link to the bonuses; marked once a bonus is known to be in use, which is read elsewhere, and late. */
function BonusTile() {
  const { t } = useText();
  const { data } = useQuery({ ...activeBonusQuery, enabled: ({ state }) => state.data !== undefined });
  const isInUse = data?.status === true;
  return (
    <Tile
      icon={BadgePercent}
      tone={isInUse ? 'gold' : undefined}
      label={t(isInUse ? 'bonus.inUseTile' : 'bonus.bonus')}
      onPress={() => navigate('/user/bonus')}
    />
  );
}

function InviteReward({ wallet }: { wallet: WalletReply }) {
  const { t } = useText();
  return (
    <section className={styles.reward}>
      <BadgeIcon icon={Gift} tone="gold" />
      <div className={styles.texts}>
        <p>{t('invite.bonus')}</p>
        <p className={styles.amount}>
          <Money amount={wallet.invite.amount} currency={wallet.wallet.currency} />
        </p>
      </div>
      <Button tone="gold" isSmall onClick={() => openSheet('invite', 'receive')}>
        {t('bonus.receive')}
      </Button>
    </section>
  );
}
