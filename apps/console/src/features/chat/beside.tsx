import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide';
import { Fact, State, Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { type Me, may, useMe } from '../../platform/me.ts';
import { Link, type Path } from '../../platform/paths.ts';
import { useLiveMember } from '../../platform/shown-member.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { placeOf } from '../../platform/subject-place.ts';
import type { Head } from './types.ts';
import { useChatAction } from './use-conversation.ts';

type Member = Reply<'GET /api/operator/members/{id}'>;
type Row = Reply<'GET /api/operator/members/{id}/statement'>['rows'][number];

const ROWS = 6;
/** What a row of the statement is, as the pages of money know it. */
const KINDS: Record<string, string> = { deposit: 'deposit', withdraw: 'withdrawal', transfer: 'transfer' };

/** Returns the page for a row: its own, or its member's for operators without access to that one. */
function placeOfRow(me: Me, row: Row, memberId: string): Path {
  const kind = KINDS[row.type];
  const place = kind ? placeOf(`${kind}:${row.id}`) : null;
  return place && may(me, place.permission) ? place.path : `/members/${memberId}`;
}

interface MoneyRowProps {
  of: Row;
  member: Member;
  /** Writes the row into the conversation as a note; null for operators who may not. */
  onTie: (() => Promise<void>) | null;
}

function MoneyRow({ of: row, member, onTie }: MoneyRowProps) {
  const { t } = useText();
  const me = useMe();
  const tying = useSingleCall();
  const type = labelOf(t, 'type', row.type);
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" wrap="nowrap">
        <Box>
          <Anchor component={Link} href={placeOfRow(me, row, member.id)} size="sm" fw={600} c="var(--ink)">
            {type}
          </Anchor>
          <Text size="xs" c="dimmed">
            {dateTimeText(row.createdAt)}
          </Text>
        </Box>
        <Stack gap={2} align="flex-end">
          <Money amount={row.amount} currency={member.currency} />
          <State of={row.status} />
        </Stack>
      </Group>
      {onTie && (
        <Button size="compact-xs" variant="subtle" loading={tying.isBusy} onClick={() => tying.run(onTie)}>
          {t('chats.tie')}
        </Button>
      )}
    </Paper>
  );
}

function MemberBeside({ id, chatId }: { id: string; chatId: string }) {
  const { t } = useText();
  const perform = useChatAction();
  const canReply = may(useMe(), 'chat.answer');
  useLiveMember(id);
  const member = useQuery({
    queryKey: ['member', id],
    queryFn: () => api('GET /api/operator/members/{id}', { params: { id } }),
  });
  const rows = useQuery({
    queryKey: ['member', id, 'statement', 'chat'],
    queryFn: () =>
      api('GET /api/operator/members/{id}/statement', { params: { id }, query: { limit: ROWS } }),
  });
  if (!member.data) return <ReadError of={member} />;
  const of = member.data;
  const money = (amount: number) => <Money amount={amount} currency={of.currency} />;
  const tie = (row: Row) => {
    const text = `${labelOf(t, 'type', row.type)} ${row.amount} · ${labelOf(t, 'state', row.status)} · ${row.id}`;
    const params = { id: chatId };
    return perform(() => api('POST /api/operator/chats/{id}/notes', { params, body: { text } }));
  };
  return (
    <Stack gap="md">
      <ReadError of={member} />
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box>
          <Text fw={700}>{of.name}</Text>
          <Text size="xs" c="dimmed">{`${of.id} · ${of.phone}`}</Text>
        </Box>
        <Anchor component={Link} href={`/members/${of.id}`} size="sm">
          <Group gap={4} wrap="nowrap">
            {t('chats.open')}
            <Icon of={ExternalLink} size={14} />
          </Group>
        </Anchor>
      </Group>
      <State of={of.status} />
      <Stack gap={4}>
        <Fact name={t('member.total')}>{money(of.total)}</Fact>
        <Fact name={t('member.wallet')}>{money(of.wallet)}</Fact>
        <Fact name={t('member.inGames', { count: of.games.length })}>{money(of.inGames)}</Fact>
        <Fact name={t('member.held')}>{money(of.held)}</Fact>
      </Stack>
      <Title order={2} size="h5">
        {t('chats.latest')}
      </Title>
      <Stack gap="xs">
        <ReadError of={rows} />
        {rows.data?.rows.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('chats.noRows')}
          </Text>
        )}
        {rows.data?.rows.map((row) => (
          <MoneyRow key={row.id} of={row} member={of} onTie={canReply ? () => tie(row) : null} />
        ))}
      </Stack>
    </Stack>
  );
}

/** Who is talking: a member with their money, or what is known of a guest; and how earlier conversations went. */
export function Beside({ of: head }: { of: Head }) {
  const { t } = useText();
  const canRead = may(useMe(), 'member.read');
  const { chat, sessions } = head;
  return (
    <Stack gap="md">
      {chat.member && canRead ? (
        <MemberBeside id={chat.member.id} chatId={chat.id} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('chats.guestNote')}
        </Text>
      )}
      <Title order={2} size="h5">
        {t('chats.sessions')}
      </Title>
      {sessions.map((session) => (
        <Box key={session.id}>
          <Text size="sm">{dateTimeText(session.openedAt)}</Text>
          <Group gap={6}>
            <Text size="xs" c="dimmed">
              {session.endedAt
                ? t('chats.endedBy', { who: labelOf(t, 'chatEnd', session.endedBy ?? '') })
                : t('chatState.OPEN')}
            </Text>
            {session.rating !== null && (
              <Tag tone="warn">{t('chats.rating', { rating: session.rating })}</Tag>
            )}
          </Group>
        </Box>
      ))}
    </Stack>
  );
}
