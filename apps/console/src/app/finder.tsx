import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Badge, Box, Group, Loader, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide';
import { type KeyboardEvent, useState } from 'react';
import { State } from '../components/cells.tsx';
import { FOCUSED } from '../components/focused.ts';
import { Icon } from '../components/icons.tsx';
import { api, type Reply } from '../platform/api.ts';
import { labelOf } from '../platform/error-text.ts';
import { type Path, useGo } from '../platform/paths.ts';

type Found = Reply<'GET /api/operator/find'>['found'][number];

/** The page of a subject, in any state. */
const PLACES: Record<Found['kind'], (row: Found) => Path | null> = {
  member: ({ id }) => `/members/${id}`,
  withdrawal: ({ id }) => `/withdrawals?status=ALL&q=${id}&open=${id}`,
  deposit: ({ id }) => `/deposits?q=${id}`,
  slip: ({ id }) => `/slips?q=${id}&open=${id}`,
  report: ({ id, state }) => `/reports?q=${id}&state=${state}`,
  // A line is known by its reference, which stands behind its bank.
  unmatched: ({ title, state }) =>
    `/unmatched?q=${encodeURIComponent(title.slice(title.indexOf(' ') + 1))}&state=${state}`,
  transfer: ({ id }) => `/transfers?q=${id}`,
  // A visitor's error belongs to nobody: what the row says is all there is.
  error: ({ memberId }) => (memberId ? `/members/${memberId}` : null),
};

/** Ctrl+K: a phone, an id, an account number, a reference or an amount leads to what it belongs to. */
export function Finder({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const go = useGo();
  const [typed, setTyped] = useState('');
  const [index, setIndex] = useState(0);
  const [wanted] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    queryKey: ['find', wanted],
    queryFn: () => api('GET /api/operator/find', { query: { q: wanted } }),
    enabled: wanted !== '',
  });
  const rows = wanted === '' ? [] : (found.data?.found ?? []);
  const open = (row: Found | undefined) => {
    const place = row && PLACES[row.kind](row);
    if (!place) return;
    onClose();
    go(place);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex((now) => Math.min(now + 1, rows.length - 1));
    else if (event.key === 'ArrowUp') setIndex((now) => Math.max(now - 1, 0));
    else if (event.key === 'Enter') open(rows[index]);
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
        }}
        onKeyDown={onKey}
      />
      <Stack gap={2} mt="sm">
        {rows.map((row, at) => (
          <FoundRow
            key={`${row.kind} ${row.id}`}
            row={row}
            isCurrent={at === index}
            onOpen={() => open(row)}
          />
        ))}
        {wanted !== '' && found.data && rows.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {t('find.nothing')}
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

/** A bank account in one line; null where none is told. */
const accountOf = ({ account }: Found): string | null =>
  account && `${account.bankCode} ${account.accountNo} ${account.accountName}`;

function FoundRow({ row, isCurrent, onOpen }: { row: Found; isCurrent: boolean; onOpen: () => void }) {
  const { t } = useText();
  return (
    <UnstyledButton
      p="xs"
      bg={isCurrent ? 'var(--brand-soft)' : undefined}
      style={{ borderRadius: 8 }}
      onClick={onOpen}
    >
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
    </UnstyledButton>
  );
}
