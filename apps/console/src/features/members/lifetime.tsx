import { Money } from '@krapao/ui/components/money.tsx';
import { dateText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Fact } from '../../components/cells.tsx';
import { ReadError, ReadErrorCard } from '../../components/read-error.tsx';
import { api } from '../../platform/api.ts';
import type { Member } from './types.ts';

const BalanceLine = lazy(() => import('./balance-line.tsx'));

/** What the member paid in, was paid and was granted since they registered, with the wallet over 30 days. */
export function Lifetime({ of: { id, currency } }: { of: Member }) {
  const { t } = useText();
  const life = useQuery({
    queryKey: ['member', id, 'lifetime'],
    queryFn: () => api('GET /api/operator/members/{id}/lifetime', { params: { id } }),
  });
  if (!life.data) return <ReadErrorCard title={t('member.lifetime')} of={life} />;
  const { deposits, withdrawals, bonuses, net, balances } = life.data;
  const summed = ({ count, amount }: { count: number; amount: number }) => (
    <Group gap={6} wrap="nowrap">
      <Money amount={amount} currency={currency} />
      <Text size="xs" c="dimmed">
        {`× ${count}`}
      </Text>
    </Group>
  );
  return (
    <Paper withBorder p="md" component="section" aria-label={t('member.lifetime')}>
      <Stack gap={6}>
        <Title order={2} size="h6">
          {t('member.lifetime')}
        </Title>
        <ReadError of={life} />
        <Fact name={t('nav.deposits')}>{summed(deposits)}</Fact>
        <Fact name={t('nav.withdrawals')}>{summed(withdrawals)}</Fact>
        <Fact name={t('member.net')}>
          <Money amount={net} currency={currency} sign={net < 0 ? '−' : ''} />
        </Fact>
        <Fact name={t('member.bonuses')}>{summed(bonuses)}</Fact>
        {deposits.first && <Fact name={t('member.firstDeposit')}>{dateText(deposits.first)}</Fact>}
        {deposits.last && <Fact name={t('member.lastDeposit')}>{dateText(deposits.last)}</Fact>}
        <Text size="xs" c="dimmed">
          {t('member.balances')}
        </Text>
        <Suspense fallback={<Loader size="xs" />}>
          <BalanceLine balances={balances} currency={currency} />
        </Suspense>
      </Stack>
    </Paper>
  );
}
