import { amountText } from '@krapao/ui/text/amount-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Stack, Text } from '@mantine/core';
import { ArrowRight } from 'lucide';
import { Icon } from '../../parts/icons.tsx';
import type { Reply } from '../../platform/api.ts';
import { wordOf } from '../../platform/error-text.ts';

type Row = Reply<'GET /api/operator/audit'>['rows'][number];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Which texts a value of this name is said in. */
const FAMILY: Record<string, string> = {
  status: 'state',
  state: 'state',
  seen: 'state',
  outcome: 'state',
  role: 'role',
  asks: 'act',
  category: 'category',
};

function valueText(t: Translate, name: string, value: unknown): string {
  // Figures are money as everywhere; whole minor units are kept as text.
  if (name === 'amount' && typeof value === 'number') return amountText(value);
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return FAMILY[name] ? wordOf(t, FAMILY[name], value) : value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ') || '–';
  return JSON.stringify(value);
}

interface ChangeLine {
  name: string;
  /** Absent where nothing was before, or it did not change. */
  from?: unknown;
  to: unknown;
}

/** What was before and what is after, name by name. */
function changesOf({ before, after }: Row): ChangeLine[] {
  if (!isRecord(before ?? after) || !isRecord(after ?? before)) {
    const parts = [before, after].filter((part) => part !== null && part !== undefined);
    const [first, last] = [parts[0], parts.at(-1)];
    return parts.length === 0 ? [] : [{ name: '', to: last, ...(parts.length > 1 ? { from: first } : {}) }];
  }
  const [was, is] = [before, after].map((part) => (isRecord(part) ? part : {})) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) =>
    name in was && name in is && JSON.stringify(was[name]) !== JSON.stringify(is[name])
      ? { name, from: was[name], to: is[name] }
      : { name, to: name in is ? is[name] : was[name] },
  );
}

/** The change as a reader compares it. */
export function Change({ of: row }: { of: Row }) {
  const { t } = useText();
  return (
    <Stack gap={2} miw={160}>
      {changesOf(row).map((line) => (
        <Text key={line.name} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {line.name && (
            <Text span size="sm" c="dimmed">
              {wordOf(
                t,
                'sum',
                line.name === 'amount' && typeof line.to === 'string' ? 'minor' : line.name,
              )}{' '}
            </Text>
          )}
          {'from' in line && (
            <>
              {valueText(t, line.name, line.from)} <Becomes />{' '}
            </>
          )}
          {valueText(t, line.name, line.to)}
        </Text>
      ))}
    </Stack>
  );
}

const Becomes = () => (
  <span style={{ verticalAlign: 'middle', display: 'inline-flex' }}>
    <Icon of={ArrowRight} size={14} />
  </span>
);
