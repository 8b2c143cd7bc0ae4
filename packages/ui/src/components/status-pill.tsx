import type { StatementStatus } from '@krapao/contract/shared';
import { Check, Clock, type IconNode, Search, X } from 'lucide';
import { useText } from '../text/text.tsx';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './status-pill.module.css';

/** Success and failure are final; everything else is in progress and drawn as a warning. */
export const statusTone = (status: string): 'ok' | 'bad' | 'warn' =>
  status === 'SUCCESS' ? 'ok' : status === 'FAILED' ? 'bad' : 'warn';

const TEXTS = {
  SUCCESS: { id: 'status.success', icon: Check },
  FAILED: { id: 'status.failed', icon: X },
  REVIEW: { id: 'status.review', icon: Search },
  PENDING: { id: 'status.pending', icon: Clock },
  PROCESSING: { id: 'status.inProgress', icon: Clock },
} as const satisfies Record<StatementStatus, { id: string; icon: IconNode }>;

/** A state as icon, word and colour. */
export function StatusPill({ status }: { status: StatementStatus }) {
  const { t } = useText();
  const { id, icon } = TEXTS[status];
  return (
    <span className={cx(styles.pill, styles[statusTone(status)])}>
      <Icon of={icon} size={14} stroke={2.25} />
      {t(id)}
    </span>
  );
}
