import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { ChevronDown, X } from 'lucide';
import type { ReactNode } from 'react';
import { useAddress } from '../platform/address.ts';
import { type Choice, choicesIn, choicesText, withChoice } from '../platform/choices.ts';
import { ANY } from '../platform/use-list.ts';
import { Icon } from './icons.tsx';

/** A filter that includes or excludes several values, stored in the address under `name` unless `stored` says where. */
export interface ChoicesDef {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** What is wanted while the address names nothing; removing it shows everything. */
  initial?: string;
  /** The choices of a list inside another page, and how they change. */
  stored?: { text: string; set: (text: string) => void };
}

/** The filter of a queue by whose assignment a row is. */
export function useAssignmentChoices(): ChoicesDef {
  const { t } = useText();
  return {
    name: 'assigned',
    label: t('col.assignment'),
    options: [
      { value: 'mine', label: t('assignment.mine') },
      { value: 'nobody', label: t('assignment.nobody') },
      { value: 'others', label: t('assignment.others') },
    ],
  };
}

/** The values of a filter, and the function that changes one of them. */
function useChoices({ name, initial = '', stored }: ChoicesDef) {
  const address = useAddress();
  const text = (stored ? stored.text : address.get(name)) || initial;
  const chosen = text === ANY ? [] : choicesIn(text);
  const change = (choice: Choice) => {
    const next = choicesText(withChoice(chosen, choice)) || (initial && ANY);
    if (stored) stored.set(next);
    else address.set({ [name]: next });
  };
  return { chosen, change };
}

function Option({ def, option }: { def: ChoicesDef; option: ChoicesDef['options'][number] }) {
  const { t } = useText();
  const { chosen, change } = useChoices(def);
  const { value, label } = option;
  const choice = chosen.find((one) => one.value === value);
  return (
    <Group justify="space-between" wrap="nowrap" gap="lg">
      <Checkbox
        label={label}
        checked={choice?.isLeftOut === false}
        onChange={() => change({ value, isLeftOut: false })}
      />
      <Button
        size="compact-xs"
        variant={choice?.isLeftOut ? 'filled' : 'default'}
        aria-pressed={choice?.isLeftOut ?? false}
        aria-label={t('filter.leaveOutOf', { value: label })}
        onClick={() => change({ value, isLeftOut: true })}
      >
        {t('filter.leaveOut')}
      </Button>
    </Group>
  );
}

/** Opens the values of a filter; each is wanted, left out or neither. One without values is not offered. */
export function ChoicesFilter({ of: def }: { of: ChoicesDef }) {
  const { chosen } = useChoices(def);
  if (def.options.length === 0) return null;
  return (
    <Popover position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          fw={chosen.length > 0 ? 600 : 400}
          rightSection={<Icon of={ChevronDown} size={16} />}
        >
          {chosen.length > 0 ? `${def.label} (${chosen.length})` : def.label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars>
          <Stack gap="xs" role="group" aria-label={def.label}>
            {def.options.map((option) => (
              <Option key={option.value} def={def} option={option} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

interface FilterChipProps {
  text: string;
  isLeftOut?: boolean;
  onRemove: () => void;
}

/** What a list is filtered by, to be removed. */
export function FilterChip({ text, isLeftOut, onRemove }: FilterChipProps) {
  const { t } = useText();
  return (
    <Button
      size="compact-sm"
      variant="light"
      radius="xl"
      {...(isLeftOut && { bg: 'var(--surface-2)', c: 'var(--ink)' })}
      rightSection={<Icon of={X} size={14} />}
      aria-label={t('filter.remove', { filter: text })}
      onClick={onRemove}
    >
      {text}
    </Button>
  );
}

function Chip({ def, choice }: { def: ChoicesDef; choice: Choice }) {
  const { t } = useText();
  const { change } = useChoices(def);
  const value = def.options.find((option) => option.value === choice.value)?.label ?? choice.value;
  const text = t(choice.isLeftOut ? 'filter.isNot' : 'filter.is', { name: def.label, value });
  return <FilterChip text={text} isLeftOut={choice.isLeftOut} onRemove={() => change(choice)} />;
}

/** Filters that every list may have besides its choices; all are cleared together. */
const OTHERS = [
  ...['q', 'from', 'to', 'amountMin', 'amountMax', 'olderMinutes', 'paid', 'otherAccount'],
  ...['assignee', 'whose', 'member', 'subject', 'prize', 'batch'],
];

/** What is filtered by, each to be removed, and all of it together. */
export function ChoiceChips({ of: defs }: { of: readonly ChoicesDef[] }) {
  const { t } = useText();
  const address = useAddress();
  const chips = defs.flatMap((def) => {
    const text = (def.stored ? def.stored.text : address.get(def.name)) || (def.initial ?? '');
    return text === ANY ? [] : choicesIn(text).map((choice) => ({ def, choice }));
  });
  if (chips.length === 0) return null;
  const clear = () => {
    for (const { stored, initial } of defs) stored?.set(initial ? ANY : '');
    const ofAddress = defs.filter(({ stored }) => !stored);
    if (ofAddress.length === 0) return;
    address.set(
      Object.fromEntries([
        ...OTHERS.map((name) => [name, null]),
        ...ofAddress.map(({ name, initial }) => [name, initial ? ANY : null]),
      ]),
    );
  };
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {t('filter.active')}
      </Text>
      {chips.map(({ def, choice }) => (
        <Chip key={`${def.name} ${choice.value}`} def={def} choice={choice} />
      ))}
      {chips.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  );
}

/** Filters of several values above a table, with the chosen values below them. */
export function ChoicesBar({ of: defs, children }: { of: readonly ChoicesDef[]; children?: ReactNode }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {defs.map((def) => (
          <ChoicesFilter key={def.name} of={def} />
        ))}
        {children}
      </Group>
      <ChoiceChips of={defs} />
    </Stack>
  );
}
