import type { Permission, SETUP_ITEMS } from '@krapao/contract/operator';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed } from 'lucide';
import { Icon } from '../../components/icons.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link, type Path } from '../../platform/paths.ts';

type Item = Reply<'GET /api/operator/setup'>['items'][number];

/** Where an item is done, and who may; null: on the server. */
const PLACES: Record<(typeof SETUP_ITEMS)[number], { path: Path; permission: Permission } | null> = {
  administrators: { path: '/team', permission: 'operator.manage' },
  cashiers: { path: '/team', permission: 'operator.manage' },
  'deposit-account': { path: '/deposit-accounts', permission: 'channel.manage' },
  payout: null,
  game: { path: '/games', permission: 'setting.manage' },
  site: { path: '/content?part=info', permission: 'content.manage' },
  contact: { path: '/content?part=contact', permission: 'content.manage' },
  agreements: { path: '/content?part=agreements', permission: 'content.manage' },
  help: { path: '/content?part=help', permission: 'content.manage' },
  backup: null,
};
/** Who is shown the list at all. */
const CONCERNED: readonly Permission[] = ['operator.manage', 'channel.manage', 'setting.manage'];
/** What is done elsewhere is seen here within this long. */
const AGAIN_MS = 30_000;

function Row({ item }: { item: Item }) {
  const { t } = useText();
  const me = useMe();
  const place = PLACES[item.code];
  const title = t(`setup.${item.code}`);
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Text component="span" c={item.isDone ? 'var(--ok)' : 'dimmed'} pt={2}>
        <Icon of={item.isDone ? CircleCheck : CircleDashed} />
      </Text>
      <Stack gap={0}>
        {!item.isDone && place && may(me, place.permission) ? (
          <Anchor component={Link} href={place.path} size="sm" fw={600}>
            {title}
          </Anchor>
        ) : (
          <Text size="sm" fw={600} c={item.isDone ? 'dimmed' : undefined}>
            {item.isDone ? `${title} – ${t('setup.done')}` : title}
          </Text>
        )}
        {!item.isDone && (
          <Text size="sm" c="dimmed">
            {item.missing.length > 0
              ? t('games.missing', { names: item.missing.join(', ') })
              : t(`setup.${item.code}-how`)}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

/** What a new installation still needs; each item ends by itself, and the list with the last. */
export function SetupList() {
  const { t } = useText();
  const me = useMe();
  const isConcerned = CONCERNED.some((permission) => may(me, permission));
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: () => api('GET /api/operator/setup'),
    enabled: isConcerned,
    refetchOnMount: 'always',
    refetchInterval: (query) => (query.state.data?.items.some(({ isDone }) => !isDone) ? AGAIN_MS : false),
  });
  const items = setup.data?.items ?? [];
  const done = items.filter(({ isDone }) => isDone).length;
  if (!isConcerned || done === items.length) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="setup">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="setup">
          {t('setup.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('setup.progress', { done, total: items.length })}
        </Text>
      </Group>
      <SimpleGrid
        component="ul"
        cols={{ base: 1, lg: 2 }}
        verticalSpacing="sm"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
      >
        {items.map((item) => (
          <Row key={item.code} item={item} />
        ))}
      </SimpleGrid>
    </Paper>
  );
}
