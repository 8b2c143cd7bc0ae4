import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Group } from '@mantine/core';
import { Flag } from 'lucide';
import { Tag } from '../../components/cells.tsx';
import type { Member } from './types.ts';

/** What stops money of a member for a while, with its end; nothing at all where nothing does. */
export function Flags({ of: { flags } }: { of: Member }) {
  const { t } = useText();
  if (flags.length === 0) return null;
  const textOf = ({ kind, at }: Member['flags'][number]): string => {
    const time = at === null ? '' : dateTimeText(at);
    if (kind === 'NEW_ACCOUNT') return t('flag.newAccount', { time });
    return at === null ? t('flag.excludedForGood') : t('flag.excluded', { time });
  };
  return (
    <Group component="ul" gap="xs" m={0} p={0} aria-label={t('flag.title')} style={{ listStyle: 'none' }}>
      {flags.map((flag) => (
        <li key={flag.kind}>
          <Tag tone="warn" icon={Flag}>
            {textOf(flag)}
          </Tag>
        </li>
      ))}
    </Group>
  );
}
