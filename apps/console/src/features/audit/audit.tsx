import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { FilterField, FilterSelect, Page, paged } from '../../parts/page.tsx';
import { When } from '../../parts/pieces.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, type Reply } from '../../platform/api.ts';
import { wordOf } from '../../platform/error-text.ts';
import { useListKeys } from '../../platform/list-keys.ts';
import { useSteadyRows } from '../../platform/steady-rows.ts';

type Filter = Query<'GET /api/operator/audit'>;
type Row = Reply<'GET /api/operator/audit'>['rows'][number];

const KINDS = [
  'withdrawal',
  'unmatched',
  'transfer',
  'member',
  'manual',
  'slip',
  'report',
  'view',
  'approval',
  'operator',
  'role',
  'export',
  'setting',
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** What was before and what is after, name by name; of what did not change, the value alone. */
function changesOf({ before, after }: Row): [name: string, text: string][] {
  if (!isRecord(before ?? after) || !isRecord(after ?? before)) {
    const parts = [before, after].filter((part) => part !== null && part !== undefined);
    return parts.length === 0 ? [] : [['', parts.map(plain).join(' → ')]];
  }
  const [was, is] = [before, after].map((part) => (isRecord(part) ? part : {}));
  return [...new Set([...Object.keys(was!), ...Object.keys(is!)])].map((name) => {
    const [from, to] = [was![name], is![name]].map(plain) as [string, string];
    const isChange = name in was! && name in is! && from !== to;
    return [name, isChange ? `${from} → ${to}` : name in is! ? to : from];
  });
}

function Change({ of: row }: { of: Row }) {
  const { t } = useText();
  return (
    <Stack gap={2}>
      {changesOf(row).map(([name, text]) => (
        <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name && (
            <Text span size="sm" c="dimmed">
              {wordOf(t, 'sum', name)}{' '}
            </Text>
          )}
          {text}
        </Text>
      ))}
    </Stack>
  );
}

/** An actor's name; `cli` is whoever works on the server itself. */
const actorText = (t: Translate, actor: string): string =>
  actor.startsWith('cli:') ? t('audit.cli') : actor.replace(/^operator:/, '');

/** Who did what, when, why and from where. */
export function AuditRoom() {
  const { t } = useText();
  const address = useAddress();
  const query: Filter = {
    ...paged(address.page),
    sort: (address.get('sort') || undefined) as Filter['sort'],
    actor: address.get('q') || undefined,
    action: address.get('action') || undefined,
    thing: address.get('thing') || undefined,
  };
  const list = useQuery({
    queryKey: ['audit', query],
    queryFn: () => api('GET /api/operator/audit', { query }),
    placeholderData: keepPreviousData,
  });
  const rows = useSteadyRows(list.isPlaceholderData ? undefined : list.data?.rows, address.key);
  const keys = useListKeys(rows, () => undefined);
  const setText = useCallback((q: string) => address.set({ q }), [address.set]);
  const columns: Column<Row>[] = [
    { id: 'at', sort: 'at', head: t('col.at'), cell: (row) => <When at={row.at} /> },
    {
      id: 'actor',
      head: t('col.actor'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{actorText(t, row.actor)}</Text>
          <Text size="xs" c="dimmed">
            {[row.role && wordOf(t, 'role', row.role), row.address].filter(Boolean).join(' · ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'action',
      head: t('col.what'),
      cell: (row) => <Text size="sm">{wordOf(t, 'act', row.action)}</Text>,
    },
    { id: 'thing', head: t('col.thing'), cell: (row) => <Text size="sm">{row.thing}</Text> },
    { id: 'change', head: t('col.change'), cell: (row) => <Change of={row} /> },
    { id: 'reason', head: t('field.reason'), cell: (row) => <Text size="sm">{row.reason ?? '–'}</Text> },
  ];
  return (
    <Page title={t('nav.audit')} actions={<ListTools room="audit" columns={columns} query={query} />}>
      <Group gap="xs">
        <FilterField value={address.get('q')} onChange={setText} />
        <FilterSelect
          label={t('col.what')}
          value={address.get('action')}
          options={KINDS.map((value) => ({ value, label: wordOf(t, 'type', value) }))}
          onChange={(action) => address.set({ action })}
        />
      </Group>
      <DataTable
        room="audit"
        order="-at"
        name={t('nav.audit')}
        columns={columns}
        rows={rows}
        total={list.data?.total}
        page={address.page}
        onPage={(page) => address.set({ page })}
        error={list.error}
        isLoading={list.isPending}
        current={keys.current}
      />
    </Page>
  );
}
