import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { useCallback } from 'react';
import type { Column } from '../../parts/column.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Money } from '../../parts/money.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { When } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query } from '../../platform/api.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link, type Path, useGo } from '../../platform/paths.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';
import { BonusStateTag, useTitleOf } from './bonus-parts.tsx';
import type { Bonus } from './draft.ts';

type Filter = Query<'GET /api/operator/bonuses'>;
type Row = Bonus & { id: string };

const STATES = ['OPEN', 'SCHEDULED', 'FULL', 'ENDED', 'STOPPED'] as const;
const KINDS = ['bonus', 'promotion'] as const;
const placeOf = (row: Bonus): Path => `/bonuses/${row.code}`;

function Dates({ of: { startsAt, endsAt } }: { of: Bonus }) {
  const { t } = useText();
  if (!startsAt && !endsAt) return <Text size="sm">{t('banner.always')}</Text>;
  return (
    <Stack gap={0}>
      <When at={startsAt} />
      <When at={endsAt} />
    </Stack>
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useText();
  const titleOf = useTitleOf();
  return [
    {
      id: 'title',
      sort: 'position',
      isFixed: true,
      head: t('bonus.title'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {titleOf(row)}
          </Text>
          <Text size="xs" c="dimmed">
            {row.code}
          </Text>
        </Stack>
      ),
    },
    { id: 'kind', head: t('bonus.kind'), cell: (row) => <Text size="sm">{t(`bonusKind.${row.kind}`)}</Text> },
    { id: 'state', head: t('col.state'), cell: (row) => <BonusStateTag of={row} /> },
    { id: 'dates', head: t('bonus.dates'), cell: (row) => <Dates of={row} /> },
    {
      id: 'received',
      head: t('bonus.received'),
      isRight: true,
      cell: (row) => (
        <Text size="sm">{row.quota === null ? row.received : `${row.received} / ${row.quota}`}</Text>
      ),
    },
    {
      id: 'running',
      head: t('bonus.running'),
      isRight: true,
      cell: (row) => <Text size="sm">{row.running}</Text>,
    },
    {
      id: 'cost',
      head: t('bonus.cost'),
      isRight: true,
      cell: (row) => <Money amount={row.granted - row.taken} currency={row.currency} />,
    },
    {
      id: 'changed',
      sort: 'changedAt',
      head: t('bonus.version'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.version}</Text>
          <When at={row.changedAt} />
        </Stack>
      ),
    },
  ];
}

/** Bonuses and promotions with what they gave. */
export function BonusesRoom() {
  const { t } = useText();
  const go = useGo();
  const address = useAddress();
  const canManage = may(useMe(), 'promotion.manage');
  const query: Filter = {
    ...paged(address.page),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    q: address.get('q') || undefined,
    kind: (address.get('kind') || undefined) as Filter['kind'],
    state: (address.get('state') || undefined) as Filter['state'],
  };
  const list = useQuery({
    queryKey: ['bonuses', 'list', query],
    queryFn: () => api('GET /api/operator/bonuses', { query }),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.bonuses.map((row) => ({ ...row, id: row.code }));
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : found, address.key);
  const open = (row: Row) => go(placeOf(row));
  const keys = useListKeys(rows, open);
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  return (
    <Page
      title={t('nav.bonuses')}
      actions={
        canManage && (
          <Button component={Link} href="/bonuses/new" leftSection={<Icon of={Plus} />}>
            {t('bonus.add')}
          </Button>
        )
      }
    >
      <Group gap="xs">
        <FilterField value={address.get('q')} onChange={setText} />
        <FilterSelect
          label={t('bonus.kind')}
          value={address.get('kind')}
          options={KINDS.map((value) => ({ value, label: t(`bonusKind.${value}`) }))}
          onChange={(kind) => address.set({ kind })}
        />
        <FilterSelect
          label={t('col.state')}
          value={address.get('state')}
          options={STATES.map((value) => ({ value, label: t(`bonusState.${value}`) }))}
          onChange={(state) => address.set({ state })}
        />
      </Group>
      <DataTable
        order="position"
        name={t('nav.bonuses')}
        columns={useColumns()}
        rows={rows}
        total={list.data?.total}
        page={address.page}
        onPage={(page) => address.set({ page })}
        list={list}
        current={keys.current}
        onOpen={open}
      />
    </Page>
  );
}
