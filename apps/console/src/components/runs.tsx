import { RUN_KINDS, RUN_STATES } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Query, queries, type Reply } from '../platform/api.ts';
import { may, useMe } from '../platform/me.ts';
import { useCursorList } from '../platform/use-list.ts';
import { ActionDialog } from './action-dialog.tsx';
import { MemberLink, State, When } from './cells.tsx';
import { ChoicesBar } from './choices-filter.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { Export } from './list-tools.tsx';
import { useNotice } from './notice.tsx';

type Run = Reply<'GET /api/operator/runs'>['runs'][number];
type Filter = Query<'GET /api/operator/runs'>;

const WHOLE = 100;

/** The progress of an open run between its floor and its target. */
function RunProgress({ of: run }: { of: Run }) {
  const { t } = useText();
  const { progress, currency } = run;
  if (!progress) return <When at={run.endedAt} />;
  const money = (amount: number) => CURRENCY_SYMBOL[currency] + amountText(amount);
  const { balance, target, floor, turnover, turnoverNeeded } = progress;
  return (
    <Stack gap={2} miw={170}>
      {target > 0 && (
        <Progress
          value={Math.max(0, Math.min(WHOLE, (balance / target) * WHOLE))}
          aria-label={t('run.balance')}
          size="sm"
        />
      )}
      <Text size="xs">{t('run.stands', { balance: money(balance), target: money(target) })}</Text>
      <Text size="xs" c="dimmed">
        {t('run.lostAt', { floor: money(floor) })}
      </Text>
      {turnoverNeeded > 0 && (
        <Text size="xs" c="dimmed">
          {t('run.turnover', { done: money(turnover), needed: money(turnoverNeeded) })}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('run.until', { time: dateTimeText(run.expiresAt) })}
      </Text>
    </Stack>
  );
}

/** Ends a run manually: takes or leaves what is above the deposit. */
function EndRun({ of: run, onClose }: { of: Run; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const fields = [
    {
      name: 'outcome',
      label: t('run.outcome'),
      value: 'forfeit',
      options: (['forfeit', 'keep'] as const).map((value) => ({ value, label: t(`run.${value}`) })),
    },
    ...(run.stuckSince
      ? [
          {
            name: 'figures',
            label: t('run.figures'),
            value: 'fresh',
            options: (['fresh', 'known'] as const).map((value) => ({ value, label: t(`run.${value}`) })),
          },
        ]
      : []),
    { name: 'reason', label: t('field.reason'), rows: 2, least: 3 },
  ];
  const end = async ({ outcome, figures = 'fresh', reason = '' }: Record<string, string>) => {
    try {
      const { taken, approval } = await api('POST /api/operator/members/{id}/run/end', {
        params: { id: run.member.id },
        body: { run: run.id, outcome: outcome as 'forfeit', figures: figures as 'fresh', reason },
      });
      const ended = () => t('run.ended', { taken: CURRENCY_SYMBOL[run.currency] + amountText(taken) });
      notice.say(approval ? t('approval.requested') : ended());
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries();
    }
  };
  return (
    <ActionDialog
      title={t('run.end')}
      yes={t('run.end')}
      isDangerous
      fields={fields}
      onYes={end}
      onClose={onClose}
    >
      <Text size="sm">{`${run.label} · ${run.member.name}`}</Text>
      <RunProgress of={run} />
    </ActionDialog>
  );
}

function useColumns(isOfMember: boolean, onEnd: (run: Run) => void): Column<Run>[] {
  const { t } = useText();
  const canEnd = may(useMe(), 'entry.make');
  const money = (name: 'granted' | 'taken') => ({
    id: name,
    head: t(`bonus.${name}`),
    isRight: true,
    cell: (run: Run) => <Money amount={run[name]} currency={run.currency} />,
  });
  return [
    { id: 'at', head: t('col.at'), cell: (run) => <When at={run.startedAt} /> },
    isOfMember
      ? {
          id: 'bonus',
          head: t('bonus.title'),
          cell: (run) => (
            <Stack gap={0}>
              <Text size="sm">{run.label}</Text>
              <Text size="xs" c="dimmed">
                {[t(`runKind.${run.kind}`), run.bonus].filter(Boolean).join(' · ')}
              </Text>
            </Stack>
          ),
        }
      : { id: 'member', head: t('col.member'), cell: (run) => <MemberLink of={run.member} /> },
    { id: 'state', head: t('col.state'), cell: (run) => <State of={run.state} family="runState" /> },
    money('granted'),
    money('taken'),
    { id: 'progress', head: t('run.progress'), cell: (run) => <RunProgress of={run} /> },
    {
      id: 'actions',
      head: '',
      cell: (run) =>
        canEnd &&
        run.state === 'ACTIVE' && (
          <Button size="compact-sm" variant="default" onClick={() => onEnd(run)}>
            {t('run.end')}
          </Button>
        ),
    },
  ];
}

/** Runs of a member or of a bonus, newest first, with the progress of open ones. */
export function Runs({ query }: { query: Pick<Filter, 'member' | 'bonus'> }) {
  const { t } = useText();
  const [state, setState] = useState('');
  const [kind, setKind] = useState('');
  const [ending, setEnding] = useState<Run | null>(null);
  const filter: Filter = { ...query, state: state || undefined, kind: kind || undefined };
  const list = useCursorList({
    queryKey: ['runs', filter],
    read: (paging) => api('GET /api/operator/runs', { query: { ...filter, ...paging } }),
    rowsOf: (reply) => reply.runs,
  });
  const byState = {
    name: 'state',
    label: t('col.state'),
    options: RUN_STATES.map((value) => ({ value, label: t(`runState.${value}`) })),
    stored: { text: state, set: setState },
  };
  const byKind = {
    name: 'kind',
    label: t('bonus.kind'),
    options: RUN_KINDS.map((value) => ({ value, label: t(`runKind.${value}`) })),
    stored: { text: kind, set: setKind },
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <ChoicesBar of={query.bonus === undefined ? [byState, byKind] : [byState]} />
        <Export pageName="runs" query={filter} />
      </Group>
      <DataTable
        name={t('bonus.runs')}
        empty={t('empty.runs')}
        columns={useColumns(query.member !== undefined, setEnding)}
        {...list}
      />
      {ending && <EndRun of={ending} onClose={() => setEnding(null)} />}
    </Stack>
  );
}
