import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { BankReference, Mark, MemberLink, State, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { AmountFilter, ChoiceFilter, ListPage, TextFilter } from '../../components/list-page.tsx';
import type { Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { LIST_CALLS } from '../../platform/list-calls.ts';
import { useGo } from '../../platform/paths.ts';
import { useList } from '../../platform/use-list.ts';
import { LostGifts } from './gifts.tsx';
import { useReversal } from './reverse.tsx';

type Row = Reply<'GET /api/operator/deposits'>['deposits'][number];

const CHANNELS = ['QR', 'AUTO', 'SLIP', 'GIFT', 'MANUAL'];

function useDepositColumns(): Column<Row>[] {
  const { t } = useText();
  return [
    { id: 'at', sort: 'createdAt', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'member', head: t('col.member'), cell: (row) => <MemberLink of={row.member} /> },
    {
      id: 'channel',
      head: t('col.channel'),
      cell: (row) => <Text size="sm">{labelOf(t, 'type', row.channel)}</Text>,
    },
    {
      id: 'bank',
      head: t('col.reference'),
      cell: (row) => <BankReference of={row} />,
    },
    {
      id: 'sender',
      head: t('col.payer'),
      cell: (row) => (
        <Mark isRight={!row.fromOtherAccount}>
          {row.fromOtherAccount ? t('deposits.otherAccount') : t('deposits.own')}
        </Mark>
      ),
    },
    {
      id: 'amount',
      sort: 'amount',
      head: t('col.amount'),
      isRight: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      id: 'state',
      head: t('col.state'),
      cell: (row) => <State of={row.reversedAt ? 'REVERSED' : row.approval ? 'APPROVAL' : 'CREDITED'} />,
    },
  ];
}

/** Deposits of all channels. */
export function DepositsPage() {
  const { t } = useText();
  const go = useGo();
  const reversal = useReversal();
  const list = useList({
    ...LIST_CALLS.deposits,
    rowsOf: (reply) => reply.deposits,
    pageName: 'deposits',
  });
  return (
    <ListPage
      list={list}
      pageName="deposits"
      order="-createdAt"
      title={t('nav.deposits')}
      columns={[...useDepositColumns(), reversal.column]}
      onOpen={(row) => go(`/members/${row.member.id}`)}
      above={<LostGifts />}
      filters={
        <>
          <TextFilter />
          <ChoiceFilter
            name="otherAccount"
            label={t('col.payer')}
            options={[
              { value: 'true', label: t('deposits.otherAccount') },
              { value: 'false', label: t('deposits.own') },
            ]}
          />
          <AmountFilter name="amountMin" label={t('withdrawals.amountMin')} />
          <AmountFilter name="amountMax" label={t('withdrawals.amountMax')} />
          <DaysFilter />
        </>
      }
      choices={[
        {
          name: 'channel',
          label: t('col.channel'),
          options: CHANNELS.map((value) => ({ value, label: labelOf(t, 'type', value) })),
        },
      ]}
    >
      {reversal.dialog}
    </ListPage>
  );
}
