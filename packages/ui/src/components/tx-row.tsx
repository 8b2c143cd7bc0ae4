import type { StatementStatus } from '@krapao/contract/shared';
import { ArrowDownToLine, ArrowLeftRight, ArrowUpFromLine, Flag, Gift, type IconNode } from 'lucide';
import type { ReactNode } from 'react';
import type { Sign } from '../text/amount-text.ts';
import { cx } from './class-names.ts';
import { Money } from './money.tsx';
import { StatusPill } from './status-pill.tsx';
import { BadgeIcon, type BadgeTone } from './tile.tsx';
import styles from './tx-row.module.css';

export type TxType = 'deposit' | 'bonus' | 'finish_bonus' | 'withdraw' | 'transfer';

/** A kind of movement decides its icon and its sign: deposit and bonus add, withdraw takes, the others have none. */
export const TX_APPEARANCE: Record<TxType, { icon: IconNode; tone: BadgeTone; sign: Sign }> = {
  deposit: { icon: ArrowDownToLine, tone: 'brand', sign: '+' },
  bonus: { icon: Gift, tone: 'gold', sign: '+' },
  finish_bonus: { icon: Flag, tone: 'quiet', sign: '' },
  withdraw: { icon: ArrowUpFromLine, tone: 'quiet', sign: '−' },
  transfer: { icon: ArrowLeftRight, tone: 'quiet', sign: '' },
};

interface TxRowProps {
  type: TxType;
  status: StatementStatus;
  title: string;
  /** Time of day and how long ago. */
  when: ReactNode;
  amount: number;
  onPress: () => void;
}

/** One row of the statement; a press opens its receipt. */
export function TxRow({ type, status, title, when, amount, onPress }: TxRowProps) {
  const { icon, tone, sign } = TX_APPEARANCE[type];
  const isFailed = status === 'FAILED';
  return (
    <button type="button" className={styles.row} onClick={onPress}>
      <BadgeIcon icon={icon} tone={tone} />
      <span className={styles.title}>{title}</span>
      <span className={cx(styles.amount, isFailed ? styles.void : sign === '+' && styles.plus)}>
        <Money amount={amount} sign={sign} isStruck={isFailed} />
      </span>
      <span className={styles.when}>{when}</span>
      <span className={styles.status}>
        <StatusPill status={status} />
      </span>
    </button>
  );
}
