import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { useState } from 'react';
import { When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { ShownSecret } from '../../components/shown-secret.tsx';
import { useAddDialog } from '../../platform/address.ts';
import { api } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useGo } from '../../platform/paths.ts';
import { still } from '../../platform/use-list.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointState } from './state.tsx';
import type { Endpoint } from './types.ts';

const REFETCH_MS = 10_000;

/** Reads the endpoints, again and again. */
export const useEndpoints = () =>
  useQuery({
    queryKey: ['webhooks'],
    queryFn: () => api('GET /api/operator/webhooks'),
    refetchInterval: REFETCH_MS,
  });

function useColumns(total: number): Column<Endpoint>[] {
  const { t } = useText();
  return [
    {
      id: 'endpoint',
      head: t('webhook.endpoint'),
      cell: (row) => (
        <Stack gap={0} miw={180} maw={420}>
          <Text size="sm" fw={600}>
            {row.description}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {row.url}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'events',
      head: t('webhook.events'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">
            {row.events.length === total
              ? t('webhook.allEvents')
              : t('webhook.someEvents', { count: row.events.length, total })}
          </Text>
          <Text size="xs" c="dimmed">
            {row.currency ? t(`channel.${row.currency}`) : t('webhook.anyCurrency')}
          </Text>
        </Stack>
      ),
    },
    { id: 'state', head: t('col.state'), cell: (row) => <EndpointState of={row} /> },
    { id: 'waiting', head: t('webhook.waiting'), isRight: true, cell: (row) => row.waiting },
    { id: 'succeeded', head: t('webhook.succeeded'), cell: (row) => <When at={row.succeededAt} /> },
  ];
}

/** Endpoints of other systems that receive events. */
export function WebhooksPage() {
  const { t } = useText();
  const go = useGo();
  const canManage = may(useMe(), 'webhook.manage');
  const adding = useAddDialog();
  const [secret, setSecret] = useState<string | null>(null);
  const list = useEndpoints();
  const rows = list.data?.webhooks ?? [];
  const events = list.data?.events ?? [];
  return (
    <Page
      title={t('nav.webhooks')}
      actions={
        canManage && (
          <Button leftSection={<Icon of={Plus} />} onClick={adding.open}>
            {t('webhook.add')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('webhook.about')}
      </Text>
      {secret && (
        <ShownSecret
          title={t('webhook.secretOnce')}
          note={t('webhook.secretNote')}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
      <DataTable
        name={t('nav.webhooks')}
        columns={useColumns(events.length)}
        rows={still(rows)}
        total={list.data && rows.length}
        list={list}
        empty={t('webhook.empty')}
        onOpen={(row) => go(`/webhooks/${row.id}`)}
      />
      {adding.isOpen && canManage && (
        <EndpointForm
          endpoint={null}
          all={events}
          onMade={(made) => setSecret(made.secret)}
          onClose={adding.close}
        />
      )}
    </Page>
  );
}
