import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { ChartedReport } from './chart.tsx';
import { Totals } from './totals.tsx';

const Chart = lazy(() => import('./chart.tsx'));

const HEIGHT = 258;

/** Chart and totals above a report's table, in one currency at a time. */
export function Overview({
  report,
  data,
  before,
}: {
  report: ChartedReport;
  data: { rows: readonly object[]; from: string; to: string };
  before: readonly object[] | undefined;
}) {
  const { t } = useText();
  const rows = data.rows as readonly { currency: Currency }[];
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  const [chosen, setChosen] = useState<Currency>('BAHT');
  const currency = currencies.includes(chosen) ? chosen : currencies[0];
  if (currency === undefined) return null;
  const figures = {
    cash: [
      { id: 'deposits', name: t('figures.deposits') },
      { id: 'withdrawals', name: t('figures.withdrawals') },
      { id: 'net', name: t('figures.net'), isSigned: true },
    ],
    channels: [{ id: 'amount', name: t('col.amount') }],
    hours: [{ id: 'amount', name: t('col.amount') }],
    liabilities: [
      { id: 'members', name: t('figures.members'), isLevel: true },
      { id: 'unmatched', name: t('figures.unmatched'), isLevel: true },
    ],
    waiting: [
      { id: 'paid', name: t('figures.paid'), isCount: true },
      { id: 'automatic', name: t('figures.automatic'), isCount: true },
    ],
    games: [{ id: 'result', name: t('figures.result'), isSigned: true }],
  }[report];
  return (
    <Stack gap="sm">
      {currencies.length > 1 && (
        <SegmentedControl
          aria-label={t('figures.currency')}
          value={currency}
          onChange={(next) => setChosen(next as Currency)}
          data={currencies.map((value) => ({ value, label: CURRENCY_SYMBOL[value] }))}
          w="fit-content"
        />
      )}
      <Totals figures={figures} rows={rows} before={before} currency={currency} />
      <Suspense fallback={<Skeleton h={HEIGHT} />}>
        <Chart report={report} rows={rows} currency={currency} days={data} />
      </Suspense>
    </Stack>
  );
}
