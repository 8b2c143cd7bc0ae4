import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { NameCell, useSelectionColumn } from '../../components/bulk.tsx';
import { MemberLink, State, Waiting } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { selectionKeys, useRowActions } from '../../components/row-actions.tsx';
import type { Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { mismatchText } from '../../platform/mismatch-text.ts';
import { useList } from '../../platform/use-list.ts';
import { useSlipDecision, useSlipRowActions } from './decision.tsx';
import { SlipPanel } from './panel.tsx';

type Row = Reply<'GET /api/operator/slips'>['slips'][number];

const STATES = ['REVIEW', 'PENDING', 'SUCCESS', 'FAILED'] as const;

const isOpen = ({ status }: Row): boolean => status === 'REVIEW' || status === 'PENDING';

function useColumns(boxes: readonly Column<Row>[]): Column<Row>[] {
  const { t } = useText();
  return [
    ...boxes,
    {
      id: 'age',
      sort: 'createdAt',
      head: t('col.age'),
      cell: (row) => <Waiting since={row.createdAt} isWaiting={isOpen(row)} />,
    },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) =>
        row.amount === null ? '–' : <Money amount={row.amount} currency={row.currency ?? 'BAHT'} />,
    },
    {
      id: 'bank',
      head: t('slips.to'),
      cell: (row) => <Text size="sm">{row.bankCode ? labelOf(t, 'type', row.bankCode) : '–'}</Text>,
    },
    {
      id: 'why',
      head: t('col.why'),
      cell: (row) => (
        <Text size="sm">
          {row.note
            ? labelOf(t, 'note', row.note)
            : row.doubts.map((mismatch) => mismatchText(t, mismatch)).join(' · ') || '–'}
        </Text>
      ),
    },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
    {
      id: 'assignment',
      head: t('col.assignment'),
      cell: (row) => (
        <Text size="sm">{row.assignment?.by ?? (isOpen(row) ? t('assignment.nobody') : '–')}</Text>
      ),
    },
  ];
}

/** Slips that members handed in; those that wait for an operator come first. */
export function SlipsPage() {
  const { t } = useText();
  const canDecide = may(useMe(), 'slip.decide');
  const decision = useSlipDecision();
  const list = useList({
    ...LIST_CALLS.slips,
    rowsOf: (reply) => reply.slips,
    pageName: 'slips',
  });
  const many = useRowActions<Row>({
    list,
    canSelect: ({ status }) => canDecide && status === 'REVIEW',
    nameOf: ({ id, member }) => <NameCell title={member.name} below={id} />,
    actions: useSlipRowActions(),
    queryKeys: ['slips', 'slip', 'today'],
  });
  const boxes = useSelectionColumn(many.selection);
  const openDialog = (row: Row | undefined, action: 'accept' | 'refuse') =>
    canDecide && row?.status === 'REVIEW' && void decision.openDialog(row, action);
  return (
    <ListPage
      list={list}
      pageName="slips"
      title={t('nav.slips')}
      empty={t('empty.slips')}
      columns={useColumns(canDecide ? [boxes] : [])}
      keys={(row) => ({
        ...selectionKeys(many.selection, row),
        a: () => openDialog(row, 'accept'),
        r: () => openDialog(row, 'refuse'),
      })}
      filters={<TextFilter />}
      selectionBar={many.bar}
      choices={[
        {
          name: 'status',
          label: t('col.state'),
          options: STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        },
      ]}
      panel={(id, onClose) => <SlipPanel key={id} id={id} decision={decision} onClose={onClose} />}
    >
      {decision.dialog}
      {many.dialog}
    </ListPage>
  );
}
