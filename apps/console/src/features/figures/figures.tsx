import type { Currency } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide';
import { useState } from 'react';
import { Check } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DaysFilter } from '../../components/day-field.tsx';
import { Icon } from '../../components/icons.tsx';
import { Export, Views } from '../../components/list-tools.tsx';
import { Page } from '../../components/page.tsx';
import { useAddress } from '../../platform/address.ts';
import { api } from '../../platform/api.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { still } from '../../platform/use-list.ts';
import type { ChartedReport } from './chart.tsx';
import {
  useAgentColumns,
  useCashColumns,
  useChannelColumns,
  useChatColumns,
  useCohortColumns,
  useCostColumns,
  useGameColumns,
  useHourColumns,
  useLiabilityColumns,
  useSourceColumns,
  useWaitingColumns,
} from './columns.tsx';
import { useDrill } from './drill.ts';
import { Overview } from './overview.tsx';
import { Schedules } from './schedules.tsx';
import { lastDays, periodBefore } from './series.ts';
import { isTied } from './tie.ts';

const REPORTS = [
  'cash',
  'channels',
  'hours',
  'liabilities',
  'waiting',
  'games',
  'sources',
  'retention',
  'costs',
  'agents',
  'chats',
] as const;
type Report = (typeof REPORTS)[number];
/** The figure whose sum ties to the ledger. */
const TIED: Partial<Record<Report, string>> = {
  cash: 'net',
  channels: 'amount',
  hours: 'amount',
  games: 'result',
  sources: 'deposits',
  costs: 'cost',
  agents: 'entries',
};

const CHARTED: readonly ChartedReport[] = ['cash', 'channels', 'hours', 'liabilities', 'waiting', 'games'];
const isCharted = (report: Report): report is ChartedReport => CHARTED.some((one) => one === report);

/** Lengths of periods that are offered, in days; none is longer than a report may be. */
const PERIODS = [7, 30, 90] as const;

interface Result {
  rows: readonly object[];
  ledger?: readonly { currency: Currency; amount: number }[];
}

/** The rows' sum beside the ledger's for the same days. */
function Tie({ of: { rows, ledger = [] }, figure }: { of: Result; figure: string }) {
  const { t } = useText();
  return (
    <Stack gap={4}>
      {ledger.map(({ currency, amount }) => {
        const agrees = isTied(rows, figure, { currency, amount });
        return (
          <Check key={currency} isRight={agrees}>
            {agrees ? t('figures.tied') : t('figures.untied')} <Money amount={amount} currency={currency} />
          </Check>
        );
      })}
    </Stack>
  );
}

/** The days the address names. */
function useDays(): { from?: string; to?: string } {
  const address = useAddress();
  const [from, to] = [address.get('from'), address.get('to')];
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

function useReport(report: Report, query: { from?: string; to?: string } | null) {
  return useQuery({
    enabled: query !== null,
    queryKey: ['figures', report, query],
    queryFn: (): Promise<Result & { from: string; to: string }> =>
      api(`GET /api/operator/figures/${report}`, { query: query ?? {} }),
  });
}

/** Periods that end on the last day shown. */
function Periods({ shown }: { shown: { from: string; to: string } | undefined }) {
  const { t } = useText();
  const address = useAddress();
  if (!shown) return null;
  return PERIODS.map((count) => {
    const days = lastDays(shown.to, count);
    return (
      <Button
        key={count}
        size="xs"
        variant={days.from === shown.from ? 'light' : 'default'}
        aria-pressed={days.from === shown.from}
        onClick={() => address.set(days)}
      >
        {t('figures.lastDays', { count })}
      </Button>
    );
  });
}

function useAllColumns(): Record<Report, readonly Column<never>[]> {
  return {
    cash: useCashColumns(),
    channels: useChannelColumns(),
    hours: useHourColumns(),
    liabilities: useLiabilityColumns(),
    waiting: useWaitingColumns(),
    games: useGameColumns(),
    sources: useSourceColumns(),
    retention: useCohortColumns(),
    costs: useCostColumns(),
    agents: useAgentColumns(),
    chats: useChatColumns(),
  };
}

/** Reports over days: money in and out by channel, member and operator. */
export function FiguresPage() {
  const { t } = useText();
  const address = useAddress();
  const report = REPORTS.find((one) => one === address.get('report')) ?? 'cash';
  const days = useDays();
  const read = useReport(report, days);
  const charted = isCharted(report) && read.data ? { report, data: read.data } : null;
  const before = useReport(report, charted && periodBefore(charted.data));
  const columns = useAllColumns()[report] as readonly Column<{ id: string }>[];
  const rows = still(read.data?.rows.map((row, at) => ({ ...row, id: String(at) })));
  const tied = TIED[report];
  const [isScheduling, setScheduling] = useState(false);
  const drill = useDrill(report, read.data);
  const keys = useListKeys(rows, (row) => drill?.(row));
  return (
    <Page
      title={t('nav.figures')}
      actions={
        <>
          <Button variant="default" leftSection={<Icon of={Mail} />} onClick={() => setScheduling(true)}>
            {t('schedules.open')}
          </Button>
          <Views pageName="figures" columns={columns} />
          {report !== 'chats' && <Export pageName={report} query={days} />}
        </>
      }
    >
      <Tabs value={report} onChange={(next) => address.set({ report: next === 'cash' ? null : next })}>
        <Tabs.List>
          {REPORTS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`figures.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={report} pt="md">
          <Stack>
            <Group gap="xs">
              <DaysFilter shown={read.data} />
              <Periods shown={read.data} />
            </Group>
            {charted && <Overview {...charted} before={before.data?.rows} />}
            <DataTable
              name={t(`figures.${report}`)}
              columns={columns}
              rows={rows}
              total={undefined}
              list={read}
              current={keys.current}
              {...(drill && { onOpen: drill })}
              foot={read.data && tied ? <Tie of={read.data} figure={tied} /> : null}
            />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      {isScheduling && (
        <Schedules report={report === 'chats' ? null : report} onClose={() => setScheduling(false)} />
      )}
    </Page>
  );
}
