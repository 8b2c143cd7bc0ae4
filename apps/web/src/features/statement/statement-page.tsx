import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Pager } from '@krapao/ui/components/pager.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { TxRow } from '@krapao/ui/components/tx-row.tsx';
import { useNow } from '@krapao/ui/hooks/use-now.ts';
import layout from '@krapao/ui/style/layout.module.css';
import { dayLabel, timeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, FileImage, ReceiptText } from 'lucide';
import { useState } from 'react';
import { afterPaint } from '../../platform/after-paint.ts';
import { agoText } from '../../platform/ago-text.ts';
import { errorText } from '../../platform/error-text.ts';
import { STATEMENT_LIMIT, statementQuery } from '../../platform/member/queries.ts';
import page from '../../platform/page.module.css';
import { openSheet } from '../../platform/sheet-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import { byDay } from './by-day.ts';
import { searchOf } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import styles from './statement-page.module.css';
import { useFilter } from './use-filter.ts';
import { type Row, useRowTitle } from './use-row-texts.ts';

const PLACES = [20, 72, 72, 72, 72, 72];

/** Everything that moved, ten a page, under its day. */
export default function StatementPage() {
  const { t } = useText();
  const [filter, setFilter] = useFilter();
  // A page of the rows of one filter; another, by a press or by going back, begins at its first.
  const list = searchOf(filter);
  const [turned, setTurned] = useState({ list, number: 1 });
  const number = turned.list === list ? turned.number : 1;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...statementQuery(number, filter),
    placeholderData: keepPreviousData,
  });
  useTitle(t('statement.title'));
  const go = (next: number) => {
    setTurned({ list, number: next });
    window.scrollTo(0, 0);
  };
  return (
    <main className={page.page}>
      <header className={styles.head}>
        <h1>{t('statement.title')}</h1>
        <Button tone="soft" isSmall icon={FileImage} onClick={() => openSheet('slips')}>
          {t('slip.status')}
        </Button>
      </header>
      <FilterBar filter={filter} onChange={setFilter} />
      {!data &&
        (error ? (
          <ErrorState text={errorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={PLACES} />
        ))}
      {data?.total === 0 && (
        <div className={layout.card}>
          {Object.keys(filter).length > 0 ? (
            <EmptyState icon={ReceiptText} text={t('statement.none')}>
              <Button tone="soft" isSmall onClick={() => setFilter({})}>
                {t('statement.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState icon={ReceiptText} text={t('statement.empty')}>
              <Button tone="soft" isSmall icon={ArrowDownToLine} onClick={() => openSheet('deposit')}>
                {t('deposit.title')}
              </Button>
            </EmptyState>
          )}
        </div>
      )}
      {data && (
        <div className={styles.list} aria-busy={isPlaceholderData}>
          <Days rows={data.statements} />
        </div>
      )}
      {data && <Pager page={number} pageCount={Math.ceil(data.total / STATEMENT_LIMIT)} onGo={go} />}
    </main>
  );
}

function Days({ rows }: { rows: Row[] }) {
  const { t } = useText();
  const now = useNow(5_000);
  const titleOf = useRowTitle();
  const heading = (day: string, when: string) => {
    const text = dayLabel(when, now);
    return text ? `${t(`time.${text}`)} ${day}` : day;
  };
  return byDay(rows).map(({ day, rows: ofDay }) => (
    <section key={day} className={styles.day}>
      <h2>{heading(day, ofDay[0]?.createdAt ?? '')}</h2>
      <div className={`${layout.card} ${layout.list}`}>
        {ofDay.map((row) => (
          <TxRow
            key={row.id}
            type={row.statementType}
            status={row.status}
            title={titleOf(row)}
            when={<Separated parts={[timeText(row.createdAt), agoText(t, row.createdAt, now)]} />}
            amount={row.amount}
            onPress={() => afterPaint(() => openSheet('receipt', row.id))}
          />
        ))}
      </div>
    </section>
  ));
}
