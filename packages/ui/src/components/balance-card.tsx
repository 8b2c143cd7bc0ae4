import type { Currency } from '@krapao/contract/shared';
import { ArrowLeftRight, Eye, EyeOff, RefreshCw, WifiOff } from 'lucide';
import type { ReactNode } from 'react';
import { useText } from '../text/text.tsx';
import styles from './balance-card.module.css';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Money } from './money.tsx';
import panel from './panel.module.css';
import { useCountUp } from './use-count-up.ts';

interface BalanceCardProps {
  total: number;
  wallet: number;
  games: number;
  currency: Currency;
  /** When the figures were last taken, and whether they are still fresh. */
  age: ReactNode;
  isLive: boolean;
  /** The figures are not today's word: there is no connection. */
  isOld?: boolean;
  /** The reader has seen these figures before: they do not count up. */
  isKnown?: boolean;
  isHidden: boolean;
  isRefreshing: boolean;
  onToggleHidden: () => void;
  onRefresh: () => void;
  onTransfer: () => void;
}

/** What the member owns: the sum, and the two parts that money moves between. */
export function BalanceCard(props: BalanceCardProps) {
  const { t } = useText();
  const { currency, isHidden } = props;
  const total = useCountUp(props.total, props.isKnown === true);
  return (
    <section className={cx(panel.panel, styles.card)} aria-label={t('money.total')}>
      <div className={styles.head}>
        <span>{t('money.total')}</span>
        <IconButton
          icon={isHidden ? EyeOff : Eye}
          size={20}
          label={isHidden ? t('money.show') : t('money.hide')}
          onClick={props.onToggleHidden}
        />
        <IconButton
          className={cx(props.isRefreshing && styles.turning)}
          icon={RefreshCw}
          size={20}
          label={t('money.refresh')}
          disabled={props.isRefreshing}
          onClick={props.onRefresh}
        />
      </div>
      <p className={styles.figure}>
        <Money amount={total} currency={currency} isBig isHidden={isHidden} />
      </p>
      <p className={styles.age} data-live={props.isLive || undefined} data-old={props.isOld || undefined}>
        {props.isOld && <Icon of={WifiOff} size={16} />}
        {props.age}
      </p>
      <div className={styles.split}>
        <Part label={t('wallet.main')}>
          <Money amount={props.wallet} isHidden={isHidden} />
        </Part>
        <button
          type="button"
          className={styles.swap}
          aria-label={t('transfer.title')}
          onClick={props.onTransfer}
        >
          <Icon of={ArrowLeftRight} size={20} />
        </button>
        <Part label={t('game.account')}>
          <Money amount={props.games} isHidden={isHidden} />
        </Part>
      </div>
    </section>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <p className={styles.key}>{label}</p>
      <p className={styles.value}>{children}</p>
    </div>
  );
}
