import '@mantine/charts/styles.css';
import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL, shortAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { LineChart } from '@mantine/charts';
import styles from '../../components/chart.module.css';

const HEIGHT = 180;
const LABELS = {
  today: 'today.today',
  yesterday: 'today.yesterday',
  weekBefore: 'today.weekBefore',
} as const;
const COLORS = { today: 1, yesterday: 3, weekBefore: 6 } as const;

export interface HoursLine {
  name: keyof typeof COLORS;
  /** Of each hour, summed up since midnight; null for hours that have not come. */
  sums: readonly (number | null)[];
}

/** Money since midnight by hour, today beside other days. The figures until now stand above it as text. */
export default function HoursChart({
  title,
  lines,
  currency,
}: {
  title: string;
  lines: readonly HoursLine[];
  currency: Currency;
}) {
  const { t } = useText();
  const points = Array.from({ length: 24 }, (_, hour) => ({
    hour: `${String(hour).padStart(2, '0')}:00`,
    ...Object.fromEntries(lines.map(({ name, sums }) => [name, sums[hour]])),
  }));
  return (
    <figure className={styles.chart} role="img" aria-label={t('figures.chart', { name: title })}>
      <LineChart
        h={HEIGHT}
        data={points}
        dataKey="hour"
        series={lines.map(({ name }) => ({
          name,
          label: t(LABELS[name]),
          color: `var(--chart-${COLORS[name]})`,
        }))}
        curveType="stepAfter"
        withDots={false}
        withLegend
        xAxisProps={{ minTickGap: 24 }}
        yAxisProps={{ width: 64 }}
        valueFormatter={(amount) => `${CURRENCY_SYMBOL[currency]}${shortAmount(amount)}`}
        tooltipAnimationDuration={0}
        lineProps={{ isAnimationActive: false }}
        tickLine="none"
      />
    </figure>
  );
}
