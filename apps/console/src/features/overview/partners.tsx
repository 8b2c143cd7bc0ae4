import { amountText, shortAmount } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Age, Check } from '../../components/cells.tsx';
import { ReadError, ReadErrorCard } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';

type Partners = Reply<'GET /api/operator/partners'>;
type Partner = Partners['partners'][number];

const AGAIN_MS = 30_000;
/** Fewer successful answers than this are worth a look. */
const FINE_PERCENT = 98;

const NAMES = {
  bank: 'partner.bank',
  feed: 'partner.feed',
  ww: 'partner.ww',
  zapman: 'partner.zapman',
  gift: 'partner.gift',
  slip: 'partner.slip',
  sms: 'partner.sms',
  push: 'partner.push',
  'game-f': 'partner.game-f',
  'game-j': 'partner.game-j',
} as const satisfies Record<Partner['partner'], string>;

/** The share of calls that were answered, rounded down, so that 100 % means all. */
export const successPercent = ({ calls, failed }: Pick<Partner, 'calls' | 'failed'>): number =>
  calls === 0 ? 100 : Math.floor(((calls - failed) / calls) * 1000) / 10;

function PartnerRow({ of: row }: { of: Partner }) {
  const { t } = useText();
  const percent = successPercent(row);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Check isRight={percent >= FINE_PERCENT}>{t(NAMES[row.partner])}</Check>
      <Stack gap={0} align="flex-end">
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {t('partner.rate', { percent, count: row.calls })}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t('partner.times', { average: row.averageMs, slowest: row.slowestMs })}
        </Text>
        {row.lastFailedAt && (
          <Text size="xs" c="dimmed">
            {t('partner.lastFailed', { time: dateTimeText(row.lastFailedAt) })}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

function FeedRow({ of: feed }: { of: Partners['feeds'][number] }) {
  const { t } = useText();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Check isRight={!feed.isSilent}>
        {t('partner.account', { name: `${feed.bankCode} ${feed.accountNo}` })}
      </Check>
      <Group gap={6} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {t('partner.answered')}
        </Text>
        <Age since={feed.answeredAt} lateMinutes={5} />
      </Group>
    </Group>
  );
}

function CreditRow({ of: row }: { of: Partners['credits'][number] }) {
  const { t } = useText();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Check isRight={!row.isLow}>
        {row.agent ? t('partner.agent', { name: row.agent }) : t(NAMES[row.partner])}
      </Check>
      <Group gap={6} wrap="nowrap">
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {row.agent
            ? t('partner.credits', { credit: amountText(row.credit) })
            : t('partner.messages', { count: shortAmount(row.credit) })}
        </Text>
        <Text size="xs" c="dimmed">
          {t('partner.answered')}
        </Text>
        <Age since={row.readAt} lateMinutes={5} />
      </Group>
    </Group>
  );
}

/** How partners answered over the last hour, and how old the watched accounts' news is. */
export function Partners() {
  const { t } = useText();
  const read = useQuery({
    queryKey: ['partners'],
    queryFn: () => api('GET /api/operator/partners'),
    refetchInterval: AGAIN_MS,
  });
  const { partners = [], feeds = [], credits = [] } = read.data ?? {};
  if (partners.length + feeds.length + credits.length === 0)
    return <ReadErrorCard title={t('partner.title')} of={read} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('partner.title')}>
      <Stack gap="sm">
        <Title order={2} size="h6">
          {t('partner.title')}
        </Title>
        <ReadError of={read} />
        <SimpleGrid cols={{ base: 1, sm: partners.length > 0 ? 2 : 1 }} spacing="xl">
          <Stack gap="xs" hidden={partners.length === 0}>
            {partners.map((row) => (
              <PartnerRow key={row.partner} of={row} />
            ))}
          </Stack>
          <Stack gap="xs">
            {feeds.map((feed) => (
              <FeedRow key={`${feed.bankCode} ${feed.accountNo}`} of={feed} />
            ))}
            {credits.map((row) => (
              <CreditRow key={`${row.partner} ${row.agent}`} of={row} />
            ))}
          </Stack>
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}
