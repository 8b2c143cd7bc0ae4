import { DAY_MS } from '@krapao/contract/durations';
import { DIFFERENCE_KINDS } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Button, Center, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, CircleCheck, RefreshCw } from 'lucide';
import { useState } from 'react';
import { ChoicesBar } from '../../components/choices-filter.tsx';
import { DayField } from '../../components/day-field.tsx';
import { Icon } from '../../components/icons.tsx';
import { ListTable } from '../../components/list-page.tsx';
import { ListTools } from '../../components/list-tools.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, queries } from '../../platform/api.ts';
import { useKeys } from '../../platform/keys.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { type List, useList } from '../../platform/use-list.ts';
import { type Difference, Explain, useColumns } from './differences.tsx';
import { type Run, Sources, sourceName } from './sources.tsx';
import { StatementButton } from './statements.tsx';

type Filter = Query<'GET /api/operator/reconciliation/differences'>;

const STATES = ['OPEN', 'EXPLAINED'] as const;

const otherDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);

/** The day that is shown, and the ones beside it. */
function DayPicker({ day, today, onDay }: { day: string; today: string; onDay: (day: string) => void }) {
  const { t } = useText();
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('recon.previous')}
        aria-keyshortcuts="["
        onClick={() => onDay(otherDay(day, -1))}
      >
        <Icon of={ChevronLeft} />
      </ActionIcon>
      <DayField
        label={t('recon.day')}
        value={day}
        onChange={(next) => next !== '' && next <= today && onDay(next)}
      />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('recon.next')}
        aria-keyshortcuts="]"
        disabled={day >= today}
        onClick={() => onDay(otherDay(day, 1))}
      >
        <Icon of={ChevronRight} />
      </ActionIcon>
    </Group>
  );
}

/** Instead of an empty list: whether that means agreement, and how many comparisons it covers. */
function Nothing({ runs }: { runs: readonly Run[] }) {
  const { t } = useText();
  const compared = runs.filter((run) => run.state === 'COMPARED');
  const isWhole = runs.every((run) => run.state === 'COMPARED' || run.state === 'NOT_OFFERED');
  const count = compared.reduce((sum, run) => sum + run.theirs.count, 0);
  if (compared.length === 0)
    return (
      <Paper withBorder p="xl">
        <Text ta="center" c="dimmed">
          {t('recon.notYet')}
        </Text>
      </Paper>
    );
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap={4}>
        <Text component="div" c={isWhole ? 'var(--ok)' : 'var(--warn)'} fw={700}>
          <Group gap={8} wrap="nowrap">
            {isWhole && <Icon of={CircleCheck} />}
            {isWhole ? t('recon.agrees') : t('recon.incomplete')}
          </Group>
        </Text>
        <Text size="sm" c="dimmed">
          {t('recon.figures', { count, sources: compared.length })}
        </Text>
      </Stack>
    </Paper>
  );
}

function useCompareAgain(day: string | undefined, source: string) {
  const { t } = useText();
  const notice = useNotice();
  return async () => {
    if (!day) return;
    try {
      const body = source ? { day, source } : { day };
      await api('POST /api/operator/reconciliation/run', { body });
      notice.say(t('recon.requested'));
    } catch (error) {
      notice.complain(error);
    }
    void queries.invalidateQueries({ queryKey: ['reconciliation'] });
  };
}

/** The differences of a day; read once the day is known. */
const useDifferences = (day: string | undefined) =>
  useList({
    ...LIST_CALLS.differences,
    rowsOf: (reply) => reply.differences,
    query: { day },
    listKey: day ?? '',
    isEnabled: day !== undefined,
  });

/** Names and columns of the differences, and the row whose reason is being entered. */
function useExplaining(runs: readonly Run[]) {
  const { t } = useText();
  const canSettle = may(useMe(), 'reconciliation.settle');
  const [pending, setDialog] = useState<Difference | null>(null);
  const explain = (row: Difference) => canSettle && row.state === 'OPEN' && setDialog(row);
  const nameOf = (id: string): string => {
    const run = runs.find((one) => one.source === id);
    return run ? sourceName(t, run) : id;
  };
  const columns = useColumns(nameOf, canSettle ? explain : null);
  const dialog = pending && <Explain row={pending} onClose={() => setDialog(null)} />;
  return { columns, explain, dialog };
}
type Explaining = ReturnType<typeof useExplaining>;

/** The day in the address, else yesterday, with its comparisons. */
function useDay() {
  const address = useAddress();
  const wanted = address.get('day') || undefined;
  const read = useQuery({
    queryKey: ['reconciliation', 'runs', wanted],
    queryFn: () => api('GET /api/operator/reconciliation', { query: wanted ? { day: wanted } : {} }),
  });
  const day = read.data?.day;
  const today = read.data?.today ?? '';
  const go = (by: number) => {
    if (day && (by < 0 || day < today)) address.set({ day: otherDay(day, by) });
  };
  return { read, day, today, runs: read.data?.runs ?? [], go };
}

function CompareAgain({ onClick }: { onClick: () => Promise<void> }) {
  const { t } = useText();
  return (
    <Button
      leftSection={<Icon of={RefreshCw} />}
      variant="default"
      onClick={(event) => {
        // The next Enter belongs to the list.
        event.currentTarget.blur();
        void onClick();
      }}
    >
      {t('recon.again')}
    </Button>
  );
}

/** Our books beside the partners', a day at a time. */
export function ReconciliationPage() {
  const { t } = useText();
  const canSettle = may(useMe(), 'reconciliation.settle');
  const address = useAddress();
  const source = address.get('source');
  const { read, day, today, runs, go } = useDay();
  const again = useCompareAgain(day, source);
  const list = useDifferences(day);
  const explaining = useExplaining(runs);
  return (
    <Page
      title={t('nav.reconciliation')}
      actions={
        <>
          {canSettle && <CompareAgain onClick={again} />}
          <StatementButton runs={runs} />
          <ListTools pageName="differences" columns={explaining.columns} query={list.query} />
        </>
      }
    >
      <ReadError of={read} />
      {read.isPending && (
        <Center p="xl">
          <Loader size="sm" />
        </Center>
      )}
      {day && (
        <>
          <ChoicesBar
            of={[
              {
                name: 'kind',
                label: t('col.what'),
                options: DIFFERENCE_KINDS.map((value) => ({ value, label: t(`difference.${value}`) })),
              },
              {
                name: 'state',
                label: t('col.state'),
                options: STATES.map((value) => ({ value, label: t(`state.${value}`) })),
              },
            ]}
          >
            <DayPicker day={day} today={today} onDay={(next) => address.set({ day: next })} />
          </ChoicesBar>
          <Sources runs={runs} chosen={source} onChoose={(next) => address.set({ source: next })} />
          <Differences list={list} runs={runs} explaining={explaining} onDay={go} />
        </>
      )}
    </Page>
  );
}

interface DifferencesProps {
  list: List<Filter, Difference>;
  runs: readonly Run[];
  explaining: Explaining;
  /** Goes so many days further. */
  onDay: (by: number) => void;
}

/** What does not agree on the day, or at the chosen source. */
function Differences({ list, runs, explaining, onDay }: DifferencesProps) {
  const { t } = useText();
  const { source, kind, state } = list.query;
  useKeys({ '[': () => onDay(-1), ']': () => onDay(1) });
  if (list.rows.length === 0 && list.total === 0 && !list.list.error && !kind && !state)
    return <Nothing runs={source ? runs.filter((run) => run.source === source) : runs} />;
  return (
    <>
      <ListTable
        list={list}
        pageName="differences"
        isTurnedByKey={false}
        name={t('recon.open')}
        columns={explaining.columns}
        onEnter={explaining.explain}
      />
      {explaining.dialog}
    </>
  );
}
