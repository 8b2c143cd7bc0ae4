import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { api } from '../../platform/api.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link, useGo } from '../../platform/paths.ts';
import { still } from '../../platform/use-list.ts';
import type { Wheel } from './draft.ts';
import { WheelStateTag } from './wheel-parts.tsx';

function useColumns(): Column<Wheel>[] {
  const { t, language } = useText();
  const figure = (name: 'costPerSpin' | 'spins' | 'slices') => ({
    id: name,
    head: t(`wheel.${name}`),
    isRight: true,
    cell: (row: Wheel) => <Text size="sm">{row[name].toLocaleString('en-US')}</Text>,
  });
  return [
    {
      id: 'name',
      head: t('wheel.name'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {row.name[language]}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`channel.${row.currency}`)}
          </Text>
        </Stack>
      ),
    },
    { id: 'state', head: t('col.state'), cell: (row) => <WheelStateTag of={row} /> },
    figure('slices'),
    figure('costPerSpin'),
    {
      id: 'expectedCost',
      head: t('wheel.expectedCost'),
      isRight: true,
      cell: (row) => <Money amount={row.expectedCost} currency={row.currency} />,
    },
    figure('spins'),
    {
      id: 'won',
      head: t('wheel.won'),
      isRight: true,
      cell: (row) => <Money amount={row.won} currency={row.currency} />,
    },
    {
      id: 'changed',
      head: t('bonus.version'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">
            {row.version === row.latest || row.version === null
              ? row.latest
              : t('wheel.versionAndDraft', { version: row.version, draft: row.latest })}
          </Text>
          <When at={row.changedAt} />
        </Stack>
      ),
    },
  ];
}

/** Wheels with what a spin costs and what they gave. */
export function WheelsPage() {
  const { t } = useText();
  const go = useGo();
  const canManage = may(useMe(), 'promotion.manage');
  const list = useQuery({ queryKey: ['wheels'], queryFn: () => api('GET /api/operator/wheels') });
  const rows = still(list.data?.wheels);
  const open = (row: Wheel) => go(`/wheels/${row.id}`);
  const keys = useListKeys(rows, open);
  return (
    <Page
      title={t('nav.wheels')}
      actions={
        canManage && (
          <Button component={Link} href="/wheels/new" leftSection={<Icon of={Plus} />}>
            {t('wheel.add')}
          </Button>
        )
      }
    >
      {list.data?.isSwitchedOn === false && (
        <Paper p="md" role="note" bg="var(--warn-soft)" c="var(--warn)">
          <Text size="sm" fw={600}>
            {t('wheel.switchedOff')}
          </Text>
          <Text size="sm">{t('wheel.switchedOffNote')}</Text>
        </Paper>
      )}
      <DataTable
        name={t('nav.wheels')}
        columns={useColumns()}
        rows={rows}
        total={list.data?.wheels.length}
        list={list}
        current={keys.current}
        onOpen={open}
      />
    </Page>
  );
}
