import type { AlertKind, TimelineKind } from '@krapao/contract/operator';
import { Money } from '@krapao/ui/components/money.tsx';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Box, Chip, Group, Stack, Text } from '@mantine/core';
import { Banknote, CircleAlert, type IconNode, LogIn, MessageCircle, NotebookPen, PencilLine } from 'lucide';
import { useState } from 'react';
import { State, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { Icon } from '../../components/icons.tsx';
import { MentionText } from '../../components/mention-text.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { alertDetail, alertText } from '../../platform/alert-text.ts';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import type { Path } from '../../platform/paths.ts';
import { placeOf } from '../../platform/subject-place.ts';
import { CursorList } from './list.tsx';
import type { Member } from './types.ts';

type Row = Reply<'GET /api/operator/members/{id}/timeline'>['rows'][number];

const ICONS: Record<TimelineKind, IconNode> = {
  money: Banknote,
  login: LogIn,
  note: NotebookPen,
  alert: CircleAlert,
  chat: MessageCircle,
  change: PencilLine,
};
const KINDS = Object.keys(ICONS) as TimelineKind[];

function titleOf(t: Translate, { kind, what }: Row): string {
  if (kind === 'alert') return alertText(t, what as AlertKind);
  if (kind === 'change') return labelOf(t, 'action', what);
  if (kind === 'money') return labelOf(t, 'type', what);
  return t(`timeline.${kind}`);
}

/** An account of a member, by the name that members see. */
const placeName = (t: Translate, { games }: Member, place: string): string =>
  games.find(({ code }) => code === place)?.name ?? labelOf(t, 'type', place);

/** The text below the title of a row. */
function detailOf(t: Translate, member: Member, row: Row): string {
  if (row.kind === 'alert') return alertDetail(t, { kind: row.what as AlertKind, detail: row.text ?? '' });
  const way = row.kind === 'money' && row.from && row.to;
  const parts = way
    ? [row.from, row.to].map((place) => placeName(t, member, place ?? ''))
    : [row.from, row.text].filter((part) => part !== null);
  return parts.join(way ? ' – ' : ' · ');
}

function What({ of: row, member }: { of: Row; member: Member }) {
  const { t } = useText();
  const detail = detailOf(t, member, row);
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" miw={200}>
      <Box c="var(--ink-2)" pt={2}>
        <Icon of={ICONS[row.kind]} />
      </Box>
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Text size="sm" fw={600}>
          {titleOf(t, row)}
        </Text>
        {detail && (
          <Text
            size={row.kind === 'note' ? 'sm' : 'xs'}
            c={row.kind === 'note' ? undefined : 'dimmed'}
            lineClamp={4}
            style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
          >
            {row.kind === 'note' ? <MentionText text={detail} /> : detail}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

/** Where the kinds of rows without a subject are looked into: a tab of the same page. */
const TAB_OF: Partial<Record<TimelineKind, string>> = {
  money: 'statement',
  login: 'sessions',
  change: 'audit',
};

/** The page of a row; null for what this operator may not open, and for what is on the page already. */
function useRowPlace(member: Member): (row: Row) => Path | null {
  const me = useMe();
  return ({ kind, subject }) => {
    const place = subject === null || subject === `member:${member.id}` ? null : placeOf(subject);
    if (place) return may(me, place.permission) ? place.path : null;
    const tab = TAB_OF[kind];
    return tab ? `/members/${member.id}?tab=${tab}` : null;
  };
}

const columnsOf = (t: Translate, member: Member): Column<Row>[] => [
  { id: 'at', head: t('col.at'), cell: (row) => <When at={row.at} /> },
  { id: 'what', head: t('col.what'), cell: (row) => <What of={row} member={member} /> },
  {
    id: 'amount',
    head: t('col.amount'),
    isRight: true,
    cell: ({ amount }) => amount !== null && <Money amount={amount} currency={member.currency} />,
  },
  {
    id: 'state',
    head: t('col.state'),
    cell: ({ kind, state }) =>
      state && <State of={state} {...(kind === 'chat' && { family: 'chatState' })} />,
  },
  {
    id: 'by',
    head: t('col.actor'),
    cell: ({ by }) => <Text size="sm">{by === null ? '–' : actorText(t, by)}</Text>,
  },
];

/** Everything that happened to the member, newest first, of all kinds or of some. */
export function TimelineTab({ of: member }: { of: Member }) {
  const { t } = useText();
  const me = useMe();
  const [chosen, setChosen] = useState<string[]>([]);
  const kinds = KINDS.filter(
    (one) => (one !== 'chat' || may(me, 'chat.read')) && (one !== 'change' || may(me, 'audit.read')),
  );
  return (
    <Stack gap="sm">
      <Chip.Group
        multiple
        value={chosen.length > 0 ? chosen : ['all']}
        onChange={(values) =>
          setChosen(values.at(-1) === 'all' ? [] : values.filter((value) => value !== 'all'))
        }
      >
        <Group gap="xs" role="group" aria-label={t('timeline.kinds')}>
          {(['all', ...kinds] as const).map((one) => (
            <Chip key={one} value={one} size="sm" variant="outline">
              {t(`timeline.${one}s`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <CursorList
        name={t('member.timeline')}
        columns={columnsOf(t, member)}
        queryKey={['member', member.id, 'timeline', chosen]}
        placeOf={useRowPlace(member)}
        read={({ countAll: _, ...paging }) =>
          api('GET /api/operator/members/{id}/timeline', {
            params: { id: member.id },
            query: { ...paging, ...(chosen.length > 0 && { kind: chosen.join(',') }) },
          })
        }
        rowsOf={(reply) => reply.rows}
      />
    </Stack>
  );
}
