import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, ImageOff } from 'lucide';
import { useState } from 'react';
import { errorText } from '../../platform/error-text.ts';
import { SLIP_LIMIT, slipLookupQuery, slipsQuery } from '../../platform/member/queries.ts';
import { closeSheet, openSheet } from '../../platform/sheet-state.ts';
import { SlipTable } from './slip-table.tsx';
import styles from './slips.module.css';

/** A check is pending: what the socket may have missed is polled. */
const POLL_MS = 10_000;

/** Every slip handed in, ten a page, with what became of it. */
export default function SlipsSheet() {
  const { t } = useText();
  const [number, setNumber] = useState(1);
  const { data: lookup } = useQuery(slipLookupQuery);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...slipsQuery(number),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.slips.some(({ status }) => status !== 'SUCCESS' && status !== 'FAILED') ?? false) &&
      POLL_MS,
  });
  return (
    <Sheet title={t('slip.status')} onClose={closeSheet}>
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[24, 64, 64, 64]} />
        ))}
      {data?.total === 0 && (
        <>
          <EmptyState icon={ImageOff} text={t('slip.empty')} />
          <Button isWide tone="line" icon={ArrowDownToLine} onClick={() => openSheet('deposit')}>
            {t('deposit.title')}
          </Button>
        </>
      )}
      {data && data.total > 0 && (
        <div className={styles.rows} aria-busy={isPlaceholderData}>
          <SlipTable slips={data.slips} windowMinutes={lookup?.windowMinutes} />
        </div>
      )}
      {data && <Pager page={number} pageCount={Math.ceil(data.total / SLIP_LIMIT)} onGo={setNumber} />}
    </Sheet>
  );
}
