import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Figure } from '../../components/cells.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import type { HoursLine } from './hours-chart.tsx';

const HoursChart = lazy(() => import('./hours-chart.tsx'));

type Cash = Reply<'GET /api/operator/today'>['cash'][number];
type Hours = Reply<'GET /api/operator/today/hours'>;
type Side = 'in' | 'out';

const CHARTS = { in: 'today.chart-in', out: 'today.chart-out' } as const;
const BY_NOW = { yesterday: 'today.byNow-yesterday', weekBefore: 'today.byNow-weekBefore' } as const;

/** How much more or less than before, in whole percent; null where there was nothing. */
export const changeOf = (now: number, before: number): number | null =>
  before > 0 ? Math.round(((now - before) / before) * 100) : null;

/** Amounts of the hours added up since midnight; null for those after `until`. */
export function sumsOf(amounts: readonly number[], until: number): (number | null)[] {
  let sum = 0;
  return amounts.map((amount, hour) => {
    sum += amount;
    return hour <= until ? Math.round(sum * 100) / 100 : null;
  });
}

/** What other days had by this time. */
function Beside({ hours, cash, side }: { hours: Hours; cash: Cash; side: Side }) {
  const { t } = useText();
  const others = hours.days.flatMap(({ name, ...day }) =>
    name !== 'today' && day.currency === cash.currency ? [{ ...day, name }] : [],
  );
  return (
    <Stack gap={0}>
      {others.map((day) => {
        const before = side === 'in' ? day.inByNow : day.outByNow;
        const change = changeOf(cash[side], before);
        return (
          <Text key={day.name} size="xs" c="dimmed" component="div">
            {t(BY_NOW[day.name])} <Money amount={before} currency={cash.currency} />
            {change !== null &&
              ` (${change > 0 ? '+' : ''}${change.toLocaleString('en-US')}%)`.replace('-', '−')}
          </Text>
        );
      })}
    </Stack>
  );
}

function Line({ hours, cash, side }: { hours: Hours; cash: Cash; side: Side }) {
  const { t } = useText();
  const lines: HoursLine[] = hours.days
    .filter(({ currency }) => currency === cash.currency)
    .map((day) => ({ name: day.name, sums: sumsOf(day[side], day.name === 'today' ? hours.hour : 23) }));
  if (lines.every(({ sums }) => !sums.at(-1) && !sums[hours.hour])) return null;
  return (
    <Suspense>
      <HoursChart title={t(CHARTS[side])} lines={lines} currency={cash.currency} />
    </Suspense>
  );
}

/** Money in and out of today in one currency, beside yesterday and the same weekday for who may see reports. */
export function CashToday({ of: cash }: { of: Cash }) {
  const { t } = useText();
  const maySee = may(useMe(), 'figures.read');
  const read = useQuery({
    queryKey: ['today', 'hours'],
    queryFn: () => api('GET /api/operator/today/hours'),
    enabled: maySee,
  });
  const side = (name: Side, title: string) => (
    <Stack gap="xs">
      <Figure name={title}>
        <Group gap="lg" justify="space-between" w="100%">
          <Money amount={cash[name]} currency={cash.currency} />
          {read.data && <Beside hours={read.data} cash={cash} side={name} />}
        </Group>
      </Figure>
      {read.data && <Line hours={read.data} cash={cash} side={name} />}
    </Stack>
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {side('in', t('today.in', { count: cash.inCount }))}
      {side('out', t('today.out', { count: cash.outCount }))}
    </SimpleGrid>
  );
}
