import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Badge, Box, Group, Kbd, Loader, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { State } from '../components/cells.tsx';
import { FOCUSED } from '../components/focused.ts';
import { Icon } from '../components/icons.tsx';
import { ReadError } from '../components/read-error.tsx';
import { api, type Reply } from '../platform/api.ts';
import { labelOf } from '../platform/error-text.ts';
import { type Path, useGo } from '../platform/paths.ts';
import { keepRecent, type RecentItem, recentItems } from '../platform/recent.ts';
import { type Command, commandsFor, useCommands } from './commands.ts';

type Found = Reply<'GET /api/operator/find'>['found'][number];

/** The page of a subject, in any state. */
const PLACES: Record<Found['kind'], (row: Found) => Path | null> = {
  member: ({ id }) => `/members/${id}`,
  withdrawal: ({ id }) => `/withdrawals?status=ALL&q=${id}&open=${id}`,
  deposit: ({ id }) => `/deposits?q=${id}`,
  slip: ({ id }) => `/slips?q=${id}&open=${id}`,
  report: ({ id, state }) => `/reports?q=${id}&state=${state}`,
  // A bank transaction is identified by its reference, which follows its bank.
  unmatched: ({ title, state }) =>
    `/unmatched?q=${encodeURIComponent(title.slice(title.indexOf(' ') + 1))}&state=${state}`,
  transfer: ({ id }) => `/transfers?q=${id}`,
  // A visitor's error has no member: the row contains all that is known.
  error: ({ memberId }) => (memberId ? `/members/${memberId}` : null),
};

const GROUP_TITLE = {
  recent: 'find.recent',
  pages: 'find.pages',
  actions: 'find.actions',
  results: 'find.results',
} as const;

/** A row of the palette. */
interface Choice {
  key: string;
  group: keyof typeof GROUP_TITLE;
  run: () => unknown;
  content: ReactNode;
}

/** Commands that stand above what is found. */
const COMMANDS_MAX = 6;

function CommandRow({ of: { label, icon, keys } }: { of: Command }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap">
        <Icon of={icon} />
        <Text size="sm">{label}</Text>
      </Group>
      {keys && <Kbd>{keys}</Kbd>}
    </Group>
  );
}

function RecentRow({ of: { title, kind } }: { of: RecentItem }) {
  const { t } = useText();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Badge variant="default">{labelOf(t, 'type', kind)}</Badge>
    </Group>
  );
}

/** Pages, actions and subjects that fit the typed text; while nothing is typed, recent subjects and all commands. */
function useChoices(typed: string, found: readonly Found[]): Choice[] {
  const go = useGo();
  const commands = useCommands();
  const [recent] = useState(recentItems);
  const named = typed === '' ? commands : commandsFor(commands, typed).slice(0, COMMANDS_MAX);
  const openFound = (row: Found) => {
    const path = PLACES[row.kind](row);
    if (!path) return;
    if (row.kind !== 'error') keepRecent({ path, title: row.title, kind: row.kind });
    go(path);
  };
  const last = typed === '' ? recent : [];
  return [
    ...last.map((item): Choice => {
      const content = <RecentRow key={item.path} of={item} />;
      return { key: item.path, group: 'recent', run: () => go(item.path), content };
    }),
    ...named.map((command): Choice => {
      const { id: key, group, run } = command;
      return { key, group, run, content: <CommandRow key={key} of={command} /> };
    }),
    ...found.map((row): Choice => {
      const content = <FoundRow key={row.id} row={row} />;
      return { key: `${row.kind} ${row.id}`, group: 'results', run: () => openFound(row), content };
    }),
  ];
}

/** Ctrl+K: leads to people, money, pages and actions, and to what was opened last. */
export function Finder({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const [typed, setTyped] = useState('');
  const [index, setIndex] = useState(0);
  const [wanted] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    queryKey: ['find', wanted],
    queryFn: () => api('GET /api/operator/find', { query: { q: wanted } }),
    enabled: wanted !== '',
  });
  const rows = useChoices(typed.trim(), typed.trim() === '' ? [] : (found.data?.found ?? []));
  const open = (row: Choice | undefined) => {
    if (!row) return;
    onClose();
    void row.run();
  };
  // What is found is of the text before until the text has been searched for.
  const isCurrent = wanted === typed.trim() && !found.isFetching;
  const [isEntered, setEntered] = useState(false);
  const enter = () => {
    const row = rows[index];
    if (isCurrent || (row && row.group !== 'results')) open(row);
    else setEntered(true);
  };
  useEffect(() => {
    if (!isEntered || !isCurrent) return;
    setEntered(false);
    open(rows[index]);
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex((now) => Math.min(now + 1, rows.length - 1));
    else if (event.key === 'ArrowUp') setIndex((now) => Math.max(now - 1, 0));
    else if (event.key === 'Enter') enter();
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size="lg"
      yOffset="12vh"
      title={null}
      aria-label={t('find.hint')}
    >
      <TextInput
        {...FOCUSED}
        aria-label={t('find.hint')}
        placeholder={t('find.hint')}
        leftSection={<Icon of={Search} />}
        rightSection={found.isFetching ? <Loader size="xs" /> : null}
        value={typed}
        maxLength={80}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIndex(0);
          setEntered(false);
        }}
        onKeyDown={onKey}
      />
      <Stack gap={2} mt="sm">
        {rows.map((row, at) => (
          <Fragment key={`${row.group} ${row.key}`}>
            {row.group !== rows[at - 1]?.group && (
              <Text size="xs" c="dimmed" fw={600} px="xs" pt={at > 0 ? 'xs' : 0}>
                {t(GROUP_TITLE[row.group])}
              </Text>
            )}
            <ChoiceRow isCurrent={at === index} onOpen={() => open(row)}>
              {row.content}
            </ChoiceRow>
          </Fragment>
        ))}
        {typed.trim() !== '' && <ReadError of={found} />}
        {wanted !== '' && wanted === typed.trim() && found.data && rows.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {t('find.nothing')}
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

/** A bank account in one line; null where none is given. */
const accountOf = ({ account }: Found): string | null =>
  account && `${account.bankCode} ${account.accountNo} ${account.accountName}`;

/** A row that a click opens, or Enter while it is the current one. */
function ChoiceRow({
  isCurrent,
  onOpen,
  children,
}: {
  isCurrent: boolean;
  onOpen: () => void;
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <UnstyledButton
      ref={button}
      px="xs"
      py={6}
      bg={isCurrent ? 'var(--brand-soft)' : undefined}
      style={{ borderRadius: 8 }}
      onClick={onOpen}
    >
      {children}
    </UnstyledButton>
  );
}

function FoundRow({ row }: { row: Found }) {
  const { t } = useText();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Box>
        <Text size="sm" fw={600}>
          {row.title || t('find.visitor')}
        </Text>
        <Text size="xs" c="dimmed">
          {[
            row.id,
            row.phone,
            accountOf(row),
            row.call,
            row.kind === 'error' && row.at && dateTimeText(row.at),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap">
        {row.amount !== null && <Money amount={row.amount} currency={row.currency ?? 'BAHT'} />}
        {row.kind === 'error' && <Badge variant="default">{row.state}</Badge>}
        {row.state && row.kind !== 'deposit' && row.kind !== 'error' && <State of={row.state} />}
        <Badge variant="default">
          {[labelOf(t, 'type', row.kind), row.kind === 'deposit' && labelOf(t, 'type', row.state ?? '')]
            .filter(Boolean)
            .join(' · ')}
        </Badge>
      </Group>
    </Group>
  );
}
