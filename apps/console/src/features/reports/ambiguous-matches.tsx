import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Stack, Text } from '@mantine/core';
import { BankReference, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { ListPage } from '../../components/list-page.tsx';
import { labelOf } from '../../platform/error-text.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { may, useMe } from '../../platform/me.ts';
import { useList } from '../../platform/use-list.ts';
import { ListSwitch } from './list-switch.tsx';
import { type AmbiguousMatch, type Settling, useSettling } from './settle.tsx';

function useColumns(canHandle: boolean, settling: Settling): Column<AmbiguousMatch>[] {
  const { t } = useText();
  return [
    { id: 'at', sort: 'paidAt', head: t('col.paidAt'), cell: (row) => <When at={row.paidAt} /> },
    { id: 'source', head: t('matches.source'), cell: (row) => labelOf(t, 'source', row.source) },
    {
      id: 'reference',
      head: t('col.reference'),
      cell: (row) => <BankReference of={row} />,
    },
    {
      id: 'payer',
      head: t('col.payer'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.payerName ?? '–'}</Text>
          <Text size="xs" c="dimmed">{`${row.payerBank} ${row.payerAccount}`}</Text>
        </Stack>
      ),
    },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { id: 'transactions', head: t('matches.fits'), isRight: true, cell: (row) => row.transactions.length },
    {
      id: 'assignment',
      head: t('col.assignment'),
      cell: (row) => row.assignment?.by ?? t('assignment.nobody'),
    },
    {
      id: 'actions',
      head: '',
      cell: (row) =>
        canHandle && (
          <Button
            size="compact-sm"
            onClick={() => void settling.openDialog({ action: 'decide', match: row })}
          >
            {t('matches.decide')}
          </Button>
        ),
    },
  ];
}

/** Evidence of transfers that may be one known bank transaction or another: nothing was booked for them. */
export function AmbiguousMatches() {
  const { t } = useText();
  const canHandle = may(useMe(), 'unmatched.settle');
  const settling = useSettling();
  const list = useList({
    ...LIST_CALLS.doubts,
    rowsOf: (reply) => reply.ambiguousMatches,
  });
  const decide = (row: AmbiguousMatch) =>
    canHandle && void settling.openDialog({ action: 'decide', match: row });
  return (
    <ListPage
      list={list}
      pageName="doubts"
      order="paidAt"
      title={t('nav.reports')}
      name={t('reports.doubts')}
      columns={useColumns(canHandle, settling)}
      onEnter={decide}
      keys={(row) => ({ a: () => row && decide(row) })}
      above={<ListSwitch />}
    >
      {settling.dialog}
    </ListPage>
  );
}
