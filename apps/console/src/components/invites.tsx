import { INVITE_STATES } from '@krapao/contract/shared';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Query, type Reply } from '../platform/api.ts';
import { useCursorList } from '../platform/use-list.ts';
import { MemberLink, State, When } from './cells.tsx';
import { ChoicesBar } from './choices-filter.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { Export } from './list-tools.tsx';

type Invite = Reply<'GET /api/operator/invites'>['invites'][number];
type Filter = Query<'GET /api/operator/invites'>;

/** Its state, why it pays nothing, and whether its deposit was taken back after it had been received. */
function Standing({ of: { state, reason, reversedAt } }: { of: Invite }) {
  const { t } = useText();
  return (
    <Stack gap={2} align="flex-start">
      <State of={state} family="inviteState" />
      {reason && (
        <Text size="xs" c="dimmed">
          {t(`inviteReason.${reason}`)}
        </Text>
      )}
      {state === 'RECEIVED' && reversedAt && (
        <Text size="xs" c="var(--bad)">
          {t('invites.lost')}
        </Text>
      )}
    </Stack>
  );
}

function useColumns(isOfMember: boolean): Column<Invite>[] {
  const { t } = useText();
  const money = (name: 'deposited' | 'amount') => ({
    id: name,
    head: t(`invites.${name}`),
    isRight: true,
    cell: (row: Invite) => row[name] !== null && <Money amount={row[name]} currency={row.currency} />,
  });
  const inviter: Column<Invite> = {
    id: 'inviter',
    head: t('member.inviter'),
    cell: (row) => <MemberLink of={row.inviter} />,
  };
  return [
    { id: 'at', head: t('invites.joined'), cell: (row) => <When at={row.joinedAt} /> },
    { id: 'member', head: t('invites.friend'), cell: (row) => <MemberLink of={row.member} /> },
    ...(isOfMember ? [] : [inviter]),
    { id: 'state', head: t('col.state'), cell: (row) => <Standing of={row} /> },
    money('deposited'),
    {
      id: 'staked',
      head: t('invites.staked'),
      isRight: true,
      cell: ({ staked, needed, currency }) =>
        staked !== null &&
        needed !== null && (
          <Stack gap={0} align="flex-end">
            <Money amount={staked} currency={currency} />
            <Text size="xs" c="dimmed">
              {'/ '}
              <Money amount={needed} />
            </Text>
          </Stack>
        ),
    },
    money('amount'),
    { id: 'received', head: t('invites.received'), cell: (row) => <When at={row.receivedAt} /> },
  ];
}

/** Members invited by one, or by all, newest first, with what each has earned their inviter. */
export function Invites({ inviter }: { inviter?: string }) {
  const { t } = useText();
  const [state, setState] = useState('');
  const filter: Filter = { ...(inviter ? { inviter } : {}), state: state || undefined };
  const list = useCursorList({
    queryKey: ['invites', filter],
    read: (paging) => api('GET /api/operator/invites', { query: { ...filter, ...paging } }),
    rowsOf: (reply) => reply.invites,
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <ChoicesBar
          of={[
            {
              name: 'state',
              label: t('col.state'),
              options: INVITE_STATES.map((value) => ({ value, label: t(`inviteState.${value}`) })),
              stored: { text: state, set: setState },
            },
          ]}
        />
        <Export pageName="invites" query={filter} />
      </Group>
      <DataTable
        name={t('invites.title')}
        empty={t('empty.invites')}
        columns={useColumns(inviter !== undefined)}
        {...list}
      />
    </Stack>
  );
}
