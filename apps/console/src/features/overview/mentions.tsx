import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide';
import { Icon } from '../../components/icons.tsx';
import { MentionText } from '../../components/mention-text.tsx';
import { ReadError, ReadErrorCard } from '../../components/read-error.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { Link } from '../../platform/paths.ts';
import { placeOf } from '../../platform/subject-place.ts';

type Mention = Reply<'GET /api/operator/mentions'>['mentions'][number];

async function see(id: string): Promise<void> {
  // One that is gone already is as good as seen.
  await api('POST /api/operator/mentions/{id}/seen', { params: { id } }).catch(() => undefined);
  await queries.invalidateQueries({ queryKey: ['mentions'] });
}

function Row({ of: mention }: { of: Mention }) {
  const { t } = useText();
  const place = placeOf(mention.subject);
  const kind = mention.subject.split(':')[0] ?? '';
  const name = `${labelOf(t, 'type', kind)} · ${mention.memberName ?? t('find.visitor')}`;
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
      <Stack gap={0} style={{ minWidth: 0 }}>
        {place && (
          <Anchor
            component={Link}
            href={place.path}
            size="sm"
            fw={600}
            c="var(--ink)"
            onClick={() => void see(mention.id)}
          >
            {name}
          </Anchor>
        )}
        <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          <MentionText text={mention.excerpt} />
        </Text>
        <Text size="xs" c="dimmed">
          {`${mention.by} · ${dateTimeText(mention.at)}`}
        </Text>
      </Stack>
      <ActionIcon
        variant="default"
        aria-label={t('mentions.see')}
        title={t('mentions.see')}
        onClick={() => void see(mention.id)}
      >
        <Icon of={Check} />
      </ActionIcon>
    </Group>
  );
}

/** The notes in which colleagues mention the operator, until they open or dismiss them; nothing without any. */
export function Mentions() {
  const { t } = useText();
  const found = useQuery({
    queryKey: ['mentions'],
    queryFn: () => api('GET /api/operator/mentions'),
  });
  const { mentions = [] } = found.data ?? {};
  if (mentions.length === 0) return <ReadErrorCard title={t('mentions.title')} of={found} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('mentions.title')}>
      <Stack gap="sm">
        <Title order={2} size="h6">
          {t('mentions.title')}
        </Title>
        <ReadError of={found} />
        {mentions.map((mention) => (
          <Row key={mention.id} of={mention} />
        ))}
      </Stack>
    </Paper>
  );
}
