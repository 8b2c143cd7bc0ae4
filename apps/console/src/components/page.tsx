import { useText } from '@krapao/ui/text/text.tsx';
import { Group, Select, Stack, TextInput, Title } from '@mantine/core';
import { Search } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from './icons.tsx';

/** A page: its name, what can be done with the whole of it, and its content. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = document.title.replace(/^(\(\d+\) )?.*$/, `$1${title}`);
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}

const SETTLE_MS = 350;

interface FilterProps {
  value: string;
  onChange: (value: string) => void;
  /** What it does where it narrows no table; such a one is as wide as its place. */
  label?: string;
}

/** What is being typed, and how it is changed; `onChange` is called after the typing pauses. */
export function useSettled(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return [typed, setTyped] as const;
}

/** The filter that `/` leads to; it takes effect after the typing pauses. */
export function FilterField({ value, onChange, label }: FilterProps) {
  const { t } = useText();
  const name = label ?? t('filter.text');
  const [typed, setTyped] = useSettled(value, onChange);
  return (
    <TextInput
      id="filter"
      aria-label={name}
      placeholder={name}
      leftSection={<Icon of={Search} size={16} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      w={label ? '100%' : { base: 180, lg: 230 }}
    />
  );
}

/** One filter with few values. */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={options}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      clearable
      w={{ base: 140, lg: 180 }}
    />
  );
}

export const focusFilter = (): void => document.getElementById('filter')?.focus();
