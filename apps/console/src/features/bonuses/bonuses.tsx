import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide';
import { When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { Icon } from '../../components/icons.tsx';
import { ListPage, TextFilter } from '../../components/list-page.tsx';
import { api, type Query } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link, type Path, useGo } from '../../platform/paths.ts';
import { useList } from '../../platform/use-list.ts';
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
export function BonusesPage() {
  const { t } = useText();
  const go = useGo();
  const canManage = may(useMe(), 'promotion.manage');
  const list = useList({
    queryKey: ['bonuses', 'list'],
    read: (query: Filter) => api('GET /api/operator/bonuses', { query }),
    rowsOf: (reply): Row[] => reply.bonuses.map((row) => ({ ...row, id: row.code })),
    filters: ['q', 'kind', 'state'],
  });
  return (
    <ListPage
      list={list}
      order="position"
      title={t('nav.bonuses')}
      columns={useColumns()}
      onOpen={(row) => go(placeOf(row))}
      actions={
        canManage && (
          <Button component={Link} href="/bonuses/new" leftSection={<Icon of={Plus} />}>
            {t('bonus.add')}
          </Button>
        )
      }
      filters={<TextFilter />}
      choices={[
        {
          name: 'kind',
          label: t('bonus.kind'),
          options: KINDS.map((value) => ({ value, label: t(`bonusKind.${value}`) })),
        },
        {
          name: 'state',
          label: t('col.state'),
          options: STATES.map((value) => ({ value, label: t(`bonusState.${value}`) })),
        },
      ]}
    />
  );
}
