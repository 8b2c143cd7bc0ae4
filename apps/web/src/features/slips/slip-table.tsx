import type { MemberApi } from '@krapao/contract/member';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { StatusPill } from '@krapao/ui/components/status-pill.tsx';
import { supportSlot } from '@krapao/ui/components/support-slot.ts';
import layout from '@krapao/ui/style/layout.module.css';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { dateText, timeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Image } from 'lucide';
import { fileAddress } from '../../platform/file-address.ts';
import { slipReason } from '../../platform/slip-text.ts';
import styles from './slips.module.css';

type Slip = MemberApi['POST /api/statement/slip']['reply']['slips'][number];

interface SlipTableProps {
  slips: readonly Slip[];
  windowMinutes: number | undefined;
}

/** The time of each slip, its amount, its state with the reason, and its picture. */
export function SlipTable({ slips, windowMinutes }: SlipTableProps) {
  const { t } = useText();
  return (
    <div className={layout.card}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('slip.receivedAt')}</th>
            <th scope="col">{t('money.amount')}</th>
            <th scope="col">{t('status.label')}</th>
          </tr>
        </thead>
        {slips.map((slip) => (
          <SlipRow key={slip.reference} slip={slip} windowMinutes={windowMinutes} />
        ))}
      </table>
    </div>
  );
}

function SlipRow({ slip, windowMinutes }: { slip: Slip; windowMinutes: number | undefined }) {
  const { t } = useText();
  const { id, createdAt, amount, currency, status, note, link } = slip;
  const reason = note !== null && slipReason(t, { note, id }, windowMinutes);
  return (
    <tbody>
      <tr>
        <th scope="row">
          <time dateTime={createdAt}>
            <span>{dateText(createdAt)}</span> <span>{timeText(createdAt)}</span>
          </time>
        </th>
        <td className={styles.amount}>
          {amount !== null && amount > 0
            ? (currency ? CURRENCY_SYMBOL[currency] : '') + amountText(amount)
            : '–'}
        </td>
        <td>
          <StatusPill status={status} />
        </td>
      </tr>
      <tr className={styles.more}>
        <td colSpan={3}>
          {reason && <p>{reason}</p>}
          {supportSlot.under(reason)}
          <a className={styles.view} href={fileAddress(link)} target="_blank" rel="noreferrer">
            <Icon of={Image} size={20} />
            {t('slip.view')}
          </a>
        </td>
      </tr>
    </tbody>
  );
}
