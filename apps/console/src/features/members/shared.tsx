import { dateText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CreditCard, type IconNode, MonitorSmartphone, Network } from 'lucide';
import { MemberLink, State } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { ReadError, ReadErrorCard } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';
import type { Member } from './types.ts';

type Shared = Reply<'GET /api/operator/members/{id}/shared'>['shared'][number];

const ICONS: Record<Shared['kind'], IconNode> = {
  account: CreditCard,
  device: MonitorSmartphone,
  network: Network,
};

function Row({ of: row }: { of: Shared }) {
  const { t } = useText();
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <MemberLink of={row.member} />
        <State of={row.status} />
      </Group>
      <Group gap={6} wrap="nowrap" align="flex-start" c="var(--ink-2)">
        <Icon of={ICONS[row.kind]} size={16} />
        <Text size="xs" lineClamp={2} title={row.what} style={{ overflowWrap: 'anywhere' }}>
          {`${t(`shared.${row.kind}`, { date: dateText(row.lastAt) })} · ${row.what}`}
        </Text>
      </Group>
    </Stack>
  );
}

/** Other members with the bank account, the browser or the network of this one. */
export function SharedCard({ of: { id } }: { of: Member }) {
  const { t } = useText();
  const found = useQuery({
    queryKey: ['member', id, 'shared'],
    queryFn: () => api('GET /api/operator/members/{id}/shared', { params: { id } }),
  });
  if (!found.data) return <ReadErrorCard title={t('shared.title')} of={found} />;
  const { shared } = found.data;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('shared.title')}>
      <Stack gap="sm">
        <Title order={2} size="h6">
          {t('shared.title')}
        </Title>
        <ReadError of={found} />
        {shared.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('shared.none')}
          </Text>
        )}
        {shared.map((row) => (
          <Row key={`${row.kind} ${row.member.id}`} of={row} />
        ))}
      </Stack>
    </Paper>
  );
}
