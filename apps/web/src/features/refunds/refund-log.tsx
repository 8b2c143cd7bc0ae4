import type { Currency } from '@krapao/contract/shared';
import { Item } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { sumText } from '../../platform/sum-text.ts';
import { REFUND_LIMIT, refundsQuery } from './queries.ts';
import styles from './refund.module.css';

/** What was received before, ten a page. */
export function RefundLog({ currency }: { currency: Currency }) {
  const { t } = useText();
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...refundsQuery(page),
    placeholderData: keepPreviousData,
  });
  return (
    <section className={`${layout.stack} ${layout.close}`}>
      <h3 className={layout.groupTitle}>{t('refund.log')}</h3>
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[64, 64]} />
        ))}
      {data?.total === 0 && <EmptyState icon={HandCoins} text={t('refund.empty')} />}
      {data && data.total > 0 && (
        <div className={`${layout.card} ${layout.list}`} aria-busy={isPlaceholderData}>
          {data.refunds.map(({ refundAmount, createdAt, loss, percent }) => (
            <Item
              key={createdAt}
              title={<span className={layout.num}>{dateTimeText(createdAt)}</span>}
              detail={t('refund.ofLoss', { percent, loss: sumText(t, loss, currency) })}
              trail={
                <span className={styles.gold}>
                  <Money amount={refundAmount} currency={currency} sign="+" />
                </span>
              }
            />
          ))}
        </div>
      )}
      {data && <Pager page={page} pageCount={Math.ceil(data.total / REFUND_LIMIT)} onGo={setPage} />}
    </section>
  );
}
