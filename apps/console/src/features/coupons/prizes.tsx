import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { worthText } from '../../platform/prize.ts';
import { still } from '../../platform/use-list.ts';

export type PrizeRow = Reply<'GET /api/operator/prizes'>['prizes'][number];

/** Every prize there are coupons for. */
export const prizesQuery = {
  queryKey: ['coupons', 'prizes'],
  queryFn: () => api('GET /api/operator/prizes'),
};

/** Bars redeeming a prize's coupons, or allows it again. */
function Withdraw({ of: prize, onClose }: { of: PrizeRow; onClose: () => void }) {
  const { t, language } = useText();
  const notice = useNotice();
  const title = prize.isWithdrawn ? t('prize.restore') : t('prize.withdraw');
  const send = async ({ reason = '' }: Record<string, string>) => {
    try {
      const body = { isWithdrawn: !prize.isWithdrawn, reason };
      const { approval } = await api('PUT /api/operator/prizes/{id}', { params: { id: prize.id }, body });
      const done = prize.isWithdrawn ? t('prize.restored') : t('prize.isWithdrawn');
      notice.say(approval ? t('approval.requested') : done);
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['coupons'] });
    }
  };
  return (
    <ActionDialog
      title={`${title} · ${prize.name[language]}`}
      yes={title}
      isDangerous={!prize.isWithdrawn}
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
      onYes={send}
      onClose={onClose}
    >
      <Text size="sm">{prize.isWithdrawn ? t('prize.restoreNote') : t('prize.withdrawNote')}</Text>
    </ActionDialog>
  );
}

function useColumns(onCoupons: (prize: string) => void, onWithdraw: (prize: PrizeRow) => void) {
  const { t, language } = useText();
  const canManage = may(useMe(), 'promotion.manage');
  const count = (name: 'given' | 'open' | 'redeemed'): Column<PrizeRow> => ({
    id: name,
    head: t(`prize.${name}`),
    isRight: true,
    cell: (row) => <Text size="sm">{row[name].toLocaleString('en-US')}</Text>,
  });
  const columns: Column<PrizeRow>[] = [
    {
      id: 'name',
      head: t('prize.name'),
      cell: (row) => (
        <Stack gap={2} align="flex-start">
          <Text size="sm" fw={600}>
            {row.name[language]}
          </Text>
          {row.isWithdrawn && <Tag tone="bad">{t('prize.isWithdrawn')}</Tag>}
        </Stack>
      ),
    },
    { id: 'kind', head: t('prize.kind'), cell: (row) => <Text size="sm">{t(`prizeKind.${row.kind}`)}</Text> },
    {
      id: 'value',
      head: t('prize.value'),
      isRight: true,
      cell: (row) => <Text size="sm">{worthText(t, row, row.currency)}</Text>,
    },
    count('given'),
    count('open'),
    count('redeemed'),
    {
      id: 'actions',
      head: '',
      cell: (row) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button size="compact-sm" variant="default" onClick={() => onCoupons(row.id)}>
            {t('nav.coupons')}
          </Button>
          {canManage && (
            <Button
              size="compact-sm"
              variant="default"
              className={row.isWithdrawn ? undefined : 'danger'}
              onClick={() => onWithdraw(row)}
            >
              {row.isWithdrawn ? t('prize.restore') : t('prize.withdraw')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return columns;
}

/** What coupons are worth, and how many of each there are. */
export function Prizes({ onCoupons }: { onCoupons: (prize: string) => void }) {
  const { t } = useText();
  const [chosen, setChosen] = useState<PrizeRow | null>(null);
  const list = useQuery(prizesQuery);
  return (
    <>
      <DataTable
        name={t('coupon.prizes')}
        columns={useColumns(onCoupons, setChosen)}
        rows={still(list.data?.prizes)}
        total={list.data?.prizes.length}
        list={list}
      />
      {chosen && <Withdraw of={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}
