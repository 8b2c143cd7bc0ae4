import '@mantine/charts/styles.css';
import type { Currency } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL, shortAmount } from '@krapao/ui/text/amount-text.ts';
import { dayText } from '@krapao/ui/text/day-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { BarChart } from '@mantine/charts';
import styles from '../../components/chart.module.css';
import { labelOf } from '../../platform/error-text.ts';
import type { Cash, Channel, Game, Hour, Liability, Waiting } from './columns.tsx';
import {
  cashPoints,
  channelPoints,
  dayPoints,
  daysBetween,
  gamePoints,
  hourPoints,
  type Point,
} from './series.ts';

/** Reports that have a chart. */
export type ChartedReport = 'cash' | 'channels' | 'hours' | 'liabilities' | 'waiting' | 'games';

interface Drawn {
  points: Point[];
  series: { name: string; label: string }[];
  isStacked?: boolean;
  /** Minutes rather than money. */
  isMinutes?: boolean;
}

interface ChartProps {
  report: ChartedReport;
  rows: readonly object[];
  currency: Currency;
  days: { from: string; to: string };
}

const HEIGHT = 240;
const COLORS = 6;

function useDrawn({ report, rows, currency, days }: ChartProps): Drawn {
  const { t } = useText();
  const all = daysBetween(days.from, days.to);
  if (report === 'games')
    return {
      points: gamePoints(rows as Game[], currency),
      series: [{ name: 'result', label: t('figures.result') }],
    };
  if (report === 'hours') {
    const { points, channels } = hourPoints(rows as Hour[], currency);
    const series = channels.map((name) => ({ name, label: labelOf(t, 'type', name) }));
    return { points, series, isStacked: true };
  }
  if (report === 'liabilities')
    return {
      points: dayPoints(rows as Liability[], currency, all, ['members', 'unmatched']),
      series: [
        { name: 'members', label: t('figures.members') },
        { name: 'unmatched', label: t('figures.unmatched') },
      ],
      isStacked: true,
    };
  if (report === 'waiting')
    return {
      points: dayPoints(rows as Waiting[], currency, all, ['median', 'ninety']),
      series: [
        { name: 'median', label: t('figures.median') },
        { name: 'ninety', label: t('figures.ninety') },
      ],
      isMinutes: true,
    };
  if (report === 'channels') {
    const { points, channels } = channelPoints(rows as Channel[], currency, all);
    const series = channels.map((name) => ({ name, label: labelOf(t, 'type', name) }));
    return { points, series, isStacked: true };
  }
  return {
    points: cashPoints(rows as Cash[], currency, all),
    series: [
      { name: 'deposits', label: t('figures.deposits') },
      { name: 'withdrawals', label: t('figures.withdrawals') },
    ],
  };
}

/** A report as bars. The table below it has the same figures, for readers and for screen readers. */
export default function Chart(props: ChartProps) {
  const { t } = useText();
  const { points, series, isStacked, isMinutes } = useDrawn(props);
  const label = (at: string): string => dayText(at).slice(0, 5) || at;
  const money = (amount: number): string =>
    `${amount < 0 ? '−' : ''}${CURRENCY_SYMBOL[props.currency]}${shortAmount(Math.abs(amount))}`;
  if (series.length === 0 || points.length === 0) return null;
  return (
    <figure
      className={styles.chart}
      role="img"
      aria-label={t('figures.chart', { name: t(`figures.${props.report}`) })}
    >
      <BarChart
        h={HEIGHT}
        data={points}
        dataKey="at"
        type={isStacked ? 'stacked' : 'default'}
        series={series.map((one, at) => ({ ...one, color: `var(--chart-${(at % COLORS) + 1})` }))}
        xAxisProps={{ tickFormatter: label, minTickGap: 16 }}
        yAxisProps={{ width: 72 }}
        valueFormatter={isMinutes ? (value) => t('settings.in-minutes', { count: Math.round(value) }) : money}
        withLegend={series.length > 1}
        tooltipAnimationDuration={0}
        barProps={{ isAnimationActive: false }}
        tickLine="none"
      />
    </figure>
  );
}
