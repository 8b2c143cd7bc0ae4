import type { Currency } from '@krapao/contract/shared';
import { cx } from '@krapao/ui/components/class-names.ts';
import { KeyValue } from '@krapao/ui/components/item.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { sumText } from '../../platform/sum-text.ts';
import type { RefundCheck } from './queries.ts';
import styles from './refund.module.css';

/** Why nothing can be received now, in the reader's words. */
function reasonText(t: Translate, { reason, most }: RefundCheck, currency: Currency): string | null {
  if (reason === 'INACTIVE') return t('error.REFUND_INACTIVE');
  if (reason === 'RUN') return t('refund.locked');
  if (reason === 'SILENT') return t('error.PROVIDER_UNAVAILABLE');
  if (reason === 'OPEN') return t('refund.open');
  if (reason === 'BALANCE') return t('refund.tooMuch', { most: sumText(t, most ?? 0, currency) });
  if (reason === 'DAY') return t('refund.today');
  return reason === 'NOTHING' ? t('refund.nothing') : null;
}

/** The refund, its computation row by row, and what prevents receiving it. */
export function Figures({ check, currency }: { check: RefundCheck; currency: Currency }) {
  const { t } = useText();
  const { info } = check;
  const reason = reasonText(t, check, currency);
  const lines = [
    ['refund.opening', '', info.opening],
    ['refund.deposits', '+', info.deposits],
    ['refund.withdrawals', '−', info.withdrawals],
    ['refund.balance', '−', info.balance],
  ] as const;
  return (
    <>
      <section className={styles.head}>
        <p className={layout.label}>{t('refund.amount')}</p>
        <p className={cx(styles.amount, info.receivable > 0 && styles.gold)}>
          <Money amount={info.receivable} currency={currency} isBig />
        </p>
        <p className={layout.caption}>{t('refund.since', { from: dateTimeText(info.from) })}</p>
      </section>
      {reason && (
        <MessageBox tone={check.reason === 'NOTHING' || check.reason === 'DAY' ? 'info' : 'warn'}>
          {reason}
        </MessageBox>
      )}
      <dl className={`${layout.card} ${layout.list} ${styles.lines}`}>
        {lines.map(([name, sign, amount]) => (
          <KeyValue key={name} name={t(name)}>
            <Money amount={amount} sign={amount === 0 ? '' : sign} />
          </KeyValue>
        ))}
        <KeyValue name={t('refund.loss')}>
          <strong>
            <Money amount={info.loss} currency={currency} />
          </strong>
        </KeyValue>
        <KeyValue name={t('refund.share', { percent: info.percent })}>
          <span className={info.receivable > 0 ? styles.gold : undefined}>
            <Money amount={info.receivable} currency={currency} />
          </span>
        </KeyValue>
      </dl>
      <details className={styles.how}>
        <summary>{t('refund.howTitle')}</summary>
        <p className={layout.caption}>{t('refund.how')}</p>
      </details>
    </>
  );
}
