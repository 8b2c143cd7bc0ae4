import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { Ellipsis, Send } from 'lucide';
import { useState } from 'react';
import { When } from '../../components/cells.tsx';
import { ChoicesBar } from '../../components/choices-filter.tsx';
import type { Column } from '../../components/column.ts';
import { DaysFilter } from '../../components/day-field.tsx';
import { Icon } from '../../components/icons.tsx';
import { ListTable } from '../../components/list-page.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { ShownSecret } from '../../components/shown-secret.tsx';
import { SubjectLink } from '../../components/subject-link.tsx';
import { useAddress } from '../../platform/address.ts';
import { api, type Query, queries } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { useList } from '../../platform/use-list.ts';
import { DeliveryDialog } from './delivery.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointQuestion, type Question } from './questions.tsx';
import { DeliveryState, EndpointState, ResponseText } from './state.tsx';
import type { Delivery, Endpoint } from './types.ts';
import { useEndpoints } from './webhooks.tsx';

type Filter = Query<'GET /api/operator/webhooks/{id}/deliveries'>;

const STATES = ['WAITING', 'DELIVERED', 'GIVEN_UP', 'SKIPPED'] as const;
const REFETCH_MS = 5_000;

function useColumns(): Column<Delivery>[] {
  const { t } = useText();
  return [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.happenedAt} /> },
    {
      id: 'event',
      head: t('webhook.event'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{labelOf(t, 'webhookEvent', row.type)}</Text>
          <Text size="xs" c="dimmed">
            {row.type}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'subject',
      head: t('col.subject'),
      cell: (row) =>
        row.subject.startsWith('member:') ? <SubjectLink of={row.subject} /> : <Text size="sm">{'–'}</Text>,
    },
    { id: 'state', head: t('col.state'), cell: (row) => <DeliveryState of={row} /> },
    { id: 'attempts', head: t('webhook.attempts'), isRight: true, cell: (row) => row.attempts },
    { id: 'result', head: t('webhook.result'), cell: (row) => <ResponseText of={row} /> },
  ];
}

function Deliveries({ endpoint, all }: { endpoint: Endpoint; all: readonly string[] }) {
  const { t } = useText();
  const address = useAddress();
  const list = useList({
    queryKey: ['webhooks', 'deliveries', endpoint.id],
    read: (query: Filter) =>
      api('GET /api/operator/webhooks/{id}/deliveries', { params: { id: endpoint.id }, query }),
    rowsOf: (reply) => reply.deliveries,
    filters: ['state', 'type'],
    hasDays: true,
    refetchInterval: REFETCH_MS,
  });
  const openId = address.get('open');
  return (
    <>
      <Title order={2} size="h4">
        {t('webhook.deliveries')}
      </Title>
      <ChoicesBar
        of={[
          {
            name: 'state',
            label: t('col.state'),
            options: STATES.map((value) => ({ value, label: t(`webhookState.${value}`) })),
          },
          {
            name: 'type',
            label: t('webhook.event'),
            options: all.map((value) => ({ value, label: labelOf(t, 'webhookEvent', value) })),
          },
        ]}
      >
        <DaysFilter />
      </ChoicesBar>
      <ListTable
        list={list}
        name={t('webhook.deliveries')}
        columns={useColumns()}
        empty={t('webhook.noDeliveries')}
        onOpen={(row) => address.set({ open: row.id })}
      />
      {openId && <DeliveryDialog id={openId} onClose={() => address.set({ open: null })} />}
    </>
  );
}

function Actions({
  endpoint,
  onEdit,
  onQuestion,
}: {
  endpoint: Endpoint;
  onEdit: () => void;
  onQuestion: (question: Question) => void;
}) {
  const { t } = useText();
  const notice = useNotice();
  const testing = useSingleCall();
  const test = async () => {
    await api('POST /api/operator/webhooks/{id}/test', { params: { id: endpoint.id } }).then(
      () => notice.say(t('webhook.testSent')),
      notice.complain,
    );
    await queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  const questions: Question[] =
    endpoint.state === 'ENABLED' ? ['replay', 'rotate', 'disable', 'remove'] : ['enable', 'rotate', 'remove'];
  return (
    <>
      <Button leftSection={<Icon of={Send} />} loading={testing.isBusy} onClick={() => testing.run(test)}>
        {t('webhook.test')}
      </Button>
      <Button variant="default" onClick={onEdit}>
        {t('webhook.edit')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label={t('team.more', { name: endpoint.description })}>
            <Icon of={Ellipsis} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {questions.map((question) => (
            <Menu.Item key={question} onClick={() => onQuestion(question)}>
              {t(`webhook.${question}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function EndpointPage({
  endpoint,
  all,
}: {
  endpoint: Endpoint;
  all: Parameters<typeof EndpointForm>[0]['all'];
}) {
  const { t } = useText();
  const canManage = may(useMe(), 'webhook.manage');
  const [isEditing, setEditing] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const until = endpoint.formerSecretUntil;
  return (
    <Page
      title={endpoint.description}
      actions={
        canManage && (
          <Actions
            endpoint={endpoint}
            onEdit={() => setEditing(true)}
            onQuestion={(question) => setQuestion(question)}
          />
        )
      }
    >
      <Group gap="md" align="flex-start">
        <EndpointState of={endpoint} />
        <Stack gap={0}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {endpoint.url}
          </Text>
          {until && (
            <Text size="xs" c="dimmed">
              {t('webhook.formerUntil', { at: dateTimeText(until) })}
            </Text>
          )}
        </Stack>
      </Group>
      {secret && (
        <ShownSecret
          title={t('webhook.secretOnce')}
          note={t('webhook.secretNote')}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
      <Deliveries endpoint={endpoint} all={all} />
      {isEditing && (
        <EndpointForm
          endpoint={endpoint}
          all={all}
          onMade={(made) => setSecret(made.secret)}
          onClose={() => setEditing(false)}
        />
      )}
      {question && (
        <EndpointQuestion
          question={question}
          endpoint={endpoint}
          onSecret={setSecret}
          onClose={() => setQuestion(null)}
        />
      )}
    </Page>
  );
}

/** One endpoint: how it fares, what was delivered to it, and what can be done about it. */
export function WebhookPage({ id }: { id: string }) {
  const { t } = useText();
  const list = useEndpoints();
  const endpoint = list.data?.webhooks.find((one) => one.id === id);
  if (!list.data) return <ReadError of={list} />;
  if (!endpoint) return <Page title={t('shell.notFound')}>{null}</Page>;
  return (
    <Stack gap="md">
      <ReadError of={list} />
      <EndpointPage endpoint={endpoint} all={list.data.events} />
    </Stack>
  );
}
