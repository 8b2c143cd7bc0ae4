import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Stack, Text } from '@mantine/core';
import { api, type Query, type Reply } from '../platform/api.ts';
import { useCursorList } from '../platform/use-list.ts';
import { MemberLink, When } from './cells.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { Export } from './list-tools.tsx';

type Refund = Reply<'GET /api/operator/refunds'>['refunds'][number];
type Filter = Query<'GET /api/operator/refunds'>;

const FIGURES = ['opening', 'deposits', 'withdrawals', 'balance', 'loss'] as const;

function useColumns(isOfMember: boolean): Column<Refund>[] {
  const { t } = useText();
  const member: Column<Refund> = {
    id: 'member',
    head: t('col.member'),
    cell: (row) => <MemberLink of={row.member} />,
  };
  return [
    { id: 'to', head: t('refunds.received'), cell: (row) => <When at={row.to} /> },
    ...(isOfMember ? [] : [member]),
    { id: 'from', head: t('refunds.since'), cell: (row) => <When at={row.from} /> },
    ...FIGURES.map((name) => ({
      id: name,
      head: t(`refunds.${name}`),
      isRight: true,
      cell: (row: Refund) => <Money amount={row[name]} />,
    })),
    {
      id: 'amount',
      head: t('refunds.amount'),
      isRight: true,
      cell: (row) => (
        <Stack gap={0} align="flex-end">
          <Money amount={row.amount} currency={row.currency} />
          <Text size="xs" c="dimmed">
            {`${row.percent} %`}
          </Text>
        </Stack>
      ),
    },
  ];
}

/** Refunds of a member, or of all, newest first, with the figures each was worked out on. */
export function Refunds({ member }: { member?: string }) {
  const { t } = useText();
  const filter: Filter = member ? { member } : {};
  const list = useCursorList({
    queryKey: ['refunds', filter],
    read: (paging) => api('GET /api/operator/refunds', { query: { ...filter, ...paging } }),
    rowsOf: (reply) => reply.refunds,
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('refunds.how')}
        </Text>
        <Export pageName="refunds" query={filter} />
      </Group>
      <DataTable
        name={t('refunds.title')}
        empty={t('empty.refunds')}
        columns={useColumns(member !== undefined)}
        {...list}
      />
    </Stack>
  );
}
