import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { NameCell, useSelectionColumn } from '../../components/bulk.tsx';
import { MemberLink, State, Tag, Waiting } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { selectionKeys, useRowActions } from '../../components/row-actions.tsx';
import { useAddress } from '../../platform/address.ts';
import { LIST_CALLS, REPORT_STATES } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { useList } from '../../platform/use-list.ts';
import { AmbiguousMatches } from './ambiguous-matches.tsx';
import { ListSwitch, useListShown } from './list-switch.tsx';
import { type Report, type Settling, useReportRowActions, useSettling } from './settle.tsx';

function Actions({ of: row, settling }: { of: Report; settling: Settling }) {
  const { t } = useText();
  return (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-sm" onClick={() => void settling.openDialog({ action: 'credit', report: row })}>
        {t('reports.credit')}
      </Button>
      <Button
        size="compact-sm"
        className="danger"
        onClick={() => void settling.openDialog({ action: 'refuse', report: row })}
      >
        {t('reports.refuse')}
      </Button>
    </Group>
  );
}

function useColumns(
  boxes: readonly Column<Report>[],
  canHandle: (row: Report) => boolean,
  settling: Settling,
): Column<Report>[] {
  const { t } = useText();
  return [
    ...boxes,
    {
      id: 'age',
      sort: 'createdAt',
      head: t('col.age'),
      cell: (row) => <Waiting since={row.createdAt} isWaiting={row.state === 'PENDING'} />,
    },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      id: 'transactions',
      head: t('reports.transactions'),
      isRight: true,
      cell: (row) => row.transactions.length,
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => (
        <Stack gap={2}>
          <State of={row.approval ? 'APPROVAL' : row.state} />
          {row.credits.length > 0 && <Tag tone="warn">{t('reports.credited')}</Tag>}
          {row.assignment && <Text size="xs">{row.assignment.by}</Text>}
        </Stack>
      ),
    },
    { id: 'actions', head: '', cell: (row) => canHandle(row) && <Actions of={row} settling={settling} /> },
  ];
}

function Reports() {
  const { t } = useText();
  const canSettle = may(useMe(), 'unmatched.settle');
  const settling = useSettling();
  const state = useAddress().get('state') || 'PENDING';
  const list = useList({
    ...LIST_CALLS.reports,
    rowsOf: (reply) => reply.reports,
    pageName: 'reports',
  });
  const canHandle = (row: Report) => canSettle && row.state === 'PENDING' && !row.approval;
  const many = useRowActions<Report>({
    list,
    canSelect: canHandle,
    nameOf: ({ id, member }) => <NameCell title={member.name} below={id} />,
    actions: useReportRowActions(),
    queryKeys: ['reports', 'today'],
  });
  const boxes = useSelectionColumn(many.selection);
  const openDialog = (action: 'credit' | 'refuse', row: Report | undefined) =>
    row && canHandle(row) && void settling.openDialog({ action, report: row });
  return (
    <ListPage
      list={list}
      pageName="reports"
      order={state === 'PENDING' ? 'createdAt' : '-createdAt'}
      title={t('nav.reports')}
      name={t('reports.reports')}
      empty={t('empty.reports')}
      columns={useColumns(canSettle ? [boxes] : [], canHandle, settling)}
      onEnter={(row) => openDialog('credit', row)}
      keys={(row) => ({
        ...selectionKeys(many.selection, row),
        a: () => openDialog('credit', row),
        r: () => openDialog('refuse', row),
      })}
      above={<ListSwitch />}
      filters={
        <>
          <TextFilter />
          <DaysFilter />
        </>
      }
      choices={[
        {
          name: 'state',
          label: t('col.state'),
          initial: 'PENDING',
          options: REPORT_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        },
      ]}
      selectionBar={many.bar}
    >
      {settling.dialog}
      {many.dialog}
    </ListPage>
  );
}

/** Money to be investigated: payment reports of members, and ambiguous matches. */
export function ReportsPage() {
  return useListShown() === 'doubts' ? <AmbiguousMatches /> : <Reports />;
}
