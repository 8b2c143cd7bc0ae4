import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Button, ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MemberLink, When } from '../../components/cells.tsx';
import { Becomes } from '../../components/icons.tsx';
import { ScoreTag } from '../../components/risk.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { Link } from '../../platform/paths.ts';
import type { Setting } from './value.ts';

type Result = Reply<'POST /api/operator/risk/trial'>;

/** What a value would have decided about the last 30 days' withdrawals, on request and before it is saved. */
export function Trial({ of: { key }, value }: { of: Setting; value: unknown }) {
  const { t } = useText();
  const trial = useQuery({
    queryKey: ['risk-trial', key, value],
    queryFn: () => api('POST /api/operator/risk/trial', { body: { values: { [key]: value } } }),
    enabled: false,
  });
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={trial.isFetching}
        onClick={() => void trial.refetch()}
      >
        {t('trial.button')}
      </Button>
      {trial.error && <Text role="alert">{errorText(t, trial.error)}</Text>}
      {trial.data && <Outcome of={trial.data} />}
    </Stack>
  );
}

function Outcome({ of: { now, tried, assessed, unassessed, withdrawals } }: { of: Result }) {
  const { t } = useText();
  return (
    <Stack gap="xs" role="status">
      <Title order={3} size="h6">
        {t('trial.title')}
      </Title>
      <Text size="sm">{t('trial.review', { count: tried.review, all: assessed, now: now.review })}</Text>
      <Text size="sm">{t('trial.held', { count: tried.held, all: assessed, now: now.held })}</Text>
      <Text size="sm">{t('trial.alerts', { count: tried.alerts, now: now.alerts })}</Text>
      {unassessed > 0 && (
        <Text size="sm" c="dimmed">
          {t('trial.unassessed', { count: unassessed })}
        </Text>
      )}
      {withdrawals.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('trial.empty')}
        </Text>
      ) : (
        <Rows of={withdrawals} />
      )}
    </Stack>
  );
}

/** The withdrawals it is about, those first whose outcome changes. */
function Rows({ of: withdrawals }: { of: Result['withdrawals'] }) {
  const { t } = useText();
  return (
    <ScrollArea.Autosize mah={280}>
      <Table verticalSpacing={4} aria-label={t('trial.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('col.at')}</Table.Th>
            <Table.Th>{t('col.member')}</Table.Th>
            <Table.Th ta="right">{t('col.amount')}</Table.Th>
            <Table.Th>{t('trial.scores')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {withdrawals.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <Anchor component={Link} href={`/withdrawals?status=ALL&open=${row.id}`} target="_blank">
                  <When at={row.createdAt} />
                </Anchor>
              </Table.Td>
              <Table.Td>
                <MemberLink of={row.member} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={row.amount} currency={row.currency} />
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <ScoreTag of={{ score: row.scoreNow, outcome: row.outcomeNow }} />
                {row.scoreNow === row.scoreTried && row.outcomeNow === row.outcomeTried ? null : (
                  <>
                    {' '}
                    <Becomes /> <ScoreTag of={{ score: row.scoreTried, outcome: row.outcomeTried }} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
