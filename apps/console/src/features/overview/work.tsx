import { Money } from '@krapao/ui/components/money.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide';
import { Age, KeyHint, Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { useKeys } from '../../platform/keys.ts';
import { Link, type Path, useGo } from '../../platform/paths.ts';

type Item = NonNullable<Reply<'GET /api/operator/work'>['next']>;

/** Ages grow without an event of the server. */
const AGAIN_MS = 60_000;

/** The page on which an item is dealt with. */
const PLACES: Record<Item['kind'], (item: Item) => Path> = {
  withdrawals: ({ id }) => `/withdrawals?status=REVIEW&open=${id}`,
  unmatched: ({ title }) => `/unmatched?q=${encodeURIComponent(title)}`,
  reports: ({ id }) => `/reports?q=${id}`,
  slips: ({ id }) => `/slips?status=REVIEW&open=${id}`,
  kyc: ({ id }) => `/members/${id}`,
  transfers: ({ id }) => `/transfers?q=${id}`,
  approvals: () => '/approvals?state=PENDING',
  chats: ({ id }) => `/chats?box=all&open=${id}`,
  alerts: () => '/alerts',
};
const placeOf = (item: Item): Path => PLACES[item.kind](item);

function titleOf(t: Translate, { kind, title }: Item): string {
  if (kind === 'alerts') return labelOf(t, 'alert', title);
  if (kind === 'approvals') return labelOf(t, 'action', title);
  return title || t('find.visitor');
}

/** One item in a line: what it is, how much, how long it has waited. */
function Row({ item }: { item: Item }) {
  const { t } = useText();
  return (
    <Anchor component={Link} href={placeOf(item)} underline="never" c="inherit">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Stack gap={0} style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} truncate>
            {titleOf(t, item)}
          </Text>
          <Text size="xs" c="dimmed">
            {labelOf(t, 'nav', item.kind)}
          </Text>
        </Stack>
        <Stack gap={0} align="flex-end" style={{ flexShrink: 0 }}>
          {item.amount !== null && item.currency && <Money amount={item.amount} currency={item.currency} />}
          <Age since={item.since} lateMinutes={item.targetMinutes} />
        </Stack>
      </Group>
    </Anchor>
  );
}

function Items({ title, items }: { title: string; items: readonly Item[] }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="xs">
        <Title order={2} size="h6">
          {title}
        </Title>
        {items.map((item) => (
          <Row key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </Stack>
    </Paper>
  );
}

/** What to do next, with the key that opens it. */
function Next({ item, onOpen }: { item: Item; onOpen: () => void }) {
  const { t } = useText();
  return (
    <Paper withBorder p="md" component="section" aria-label={t('today.next')}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="md" wrap="wrap" style={{ minWidth: 0 }}>
          <Stack gap={0}>
            <Text size="xs" c="dimmed">
              {`${t('today.next')} · ${labelOf(t, 'nav', item.kind)}`}
            </Text>
            <Text fw={700}>{titleOf(t, item)}</Text>
          </Stack>
          {item.amount !== null && item.currency && (
            <Text fw={700} component="div">
              <Money amount={item.amount} currency={item.currency} />
            </Text>
          )}
          <Age since={item.since} lateMinutes={item.targetMinutes} />
          {item.isLate && <Tag tone="warn">{t('today.late', { minutes: item.targetMinutes })}</Tag>}
          {item.mine && <Tag tone="brand">{t('today.taken')}</Tag>}
        </Group>
        <Group gap="sm" wrap="nowrap">
          <KeyHint keys={['Enter']}>{''}</KeyHint>
          <Button rightSection={<Icon of={ArrowRight} />} onClick={onOpen}>
            {t('today.begin')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

/** What the operator may deal with: the most urgent, their own, and what has waited longest. */
export function Work() {
  const { t } = useText();
  const go = useGo();
  const work = useQuery({
    queryKey: ['today', 'work'],
    queryFn: () => api('GET /api/operator/work'),
    refetchInterval: AGAIN_MS,
  });
  const next = work.data?.next ?? null;
  const open = () => next && go(placeOf(next));
  useKeys({ Enter: open });
  if (!work.data || !next) return <ReadError of={work} />;
  const { mine, oldest } = work.data;
  return (
    <Stack gap="md">
      <ReadError of={work} />
      <Next item={next} onOpen={open} />
      <SimpleGrid cols={{ base: 1, sm: mine.length > 0 ? 2 : 1 }}>
        {mine.length > 0 && <Items title={t('today.mine')} items={mine} />}
        {oldest.length > 0 && <Items title={t('today.oldest')} items={oldest} />}
      </SimpleGrid>
    </Stack>
  );
}
