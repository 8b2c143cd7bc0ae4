import { Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Search } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';
import { ChoiceButton } from './choice-button.tsx';
import { FOCUSED } from './focused.ts';
import { Icon } from './icons.tsx';
import { ReadError } from './read-error.tsx';

/** Typing is searched for after this pause. */
const PAUSE_MS = 200;

interface FoundChoiceProps<Row> {
  label: string;
  /** What can be typed. */
  hint: string;
  /** Shown when nothing was found. */
  none: string;
  /** What is searched for before anything is typed. */
  typed?: string;
  isOptional?: boolean;
  /** The id of the chosen row; empty when none is. */
  value: string;
  onChange: (id: string) => void;
  /** How rows are found; null when nothing is to be searched for. */
  search: (typed: string) => { queryKey: readonly unknown[]; queryFn: () => Promise<readonly Row[]> } | null;
  canChoose?: (row: Row) => boolean;
  /** What tells a row from the others, and what stands beside it until it is chosen. */
  draw: (row: Row) => { about: ReactNode; beside: ReactNode };
  /** What is announced of the chosen row. */
  chosenText: (row: Row) => string;
}

/**
 * Chooses one of the rows found by what is typed. Enter chooses the first one as soon as what was typed has been searched
 * for; it sends nothing.
 */
export function FoundChoice<Row extends { id: string }>(props: FoundChoiceProps<Row>) {
  const { label, hint, none, isOptional = false, value, onChange, canChoose = () => true } = props;
  const [typed, setTyped] = useState(props.typed ?? '');
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const search = props.search(text);
  const found = useQuery({
    queryKey: search?.queryKey ?? ['nothing searched for'],
    queryFn: () => search?.queryFn() ?? [],
    enabled: search !== null,
  });
  const rows = found.data ?? [];
  const chosen = rows.find(({ id }) => id === value);
  const isCurrent = text === typed.trim() && found.isSuccess && !found.isFetching;
  const [isFirstWanted, setFirstWanted] = useState(false);
  const first = rows.find(canChoose)?.id;
  useEffect(() => {
    if (!isCurrent) return;
    // A row that is no longer shown must not stay chosen unseen.
    if (value !== '' && !chosen) onChange('');
    else if (isFirstWanted) {
      setFirstWanted(false);
      if (first) onChange(first);
    }
  }, [isCurrent, isFirstWanted, first, value, chosen, onChange]);
  return (
    <Stack gap="xs">
      <TextInput
        {...FOCUSED}
        label={label}
        withAsterisk={!isOptional}
        maxLength={80}
        placeholder={hint}
        leftSection={<Icon of={Search} />}
        rightSection={found.isFetching ? <Loader size="xs" /> : null}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFirstWanted(false);
          onChange('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          // The first one fits what was typed best; nothing is sent before it has been seen chosen.
          event.preventDefault();
          setFirstWanted(true);
        }}
      />
      <Stack gap={4} role="radiogroup" aria-label={label}>
        {rows.map((row) => {
          const { about, beside } = props.draw(row);
          return (
            <ChoiceButton
              key={row.id}
              isChosen={row.id === value}
              isOpen={canChoose(row)}
              onChoose={() => onChange(row.id)}
            >
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                {about}
                {row.id === value ? <Icon of={CircleCheck} /> : beside}
              </Group>
            </ChoiceButton>
          );
        })}
        <ReadError of={found} />
        {found.data && rows.length === 0 && (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        )}
      </Stack>
      <Text size="sm" fw={600} role="status">
        {chosen && props.chosenText(chosen)}
      </Text>
    </Stack>
  );
}
