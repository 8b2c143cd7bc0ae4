import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Stack, Text } from '@mantine/core';
import { labelOf } from '../platform/error-text.ts';
import { may, useMe } from '../platform/me.ts';
import { Link } from '../platform/paths.ts';
import { placeOf } from '../platform/subject-place.ts';

/** Kinds whose subjects have names of their own. */
const NAMED: Record<string, readonly string[]> = {
  room: ['nav', 'reports'],
  export: ['nav', 'reports'],
  setting: ['setting'],
  role: ['role'],
  provider: ['provider'],
};

/** Returns a comparison as its day and the books it was made with. */
function reconciliationName(t: Translate, id: string): string {
  const [day = '', source, name, ...more] = id.split(':');
  const books =
    source === 'gift' ? t('recon.gift') : source === 'bank' ? [name, ...more].join(' ') : (name ?? '');
  return `${day.split('-').reverse().join('/')} · ${books}`;
}

function nameOf(t: Translate, kind: string, id: string): string {
  if (kind === 'reconciliation') return reconciliationName(t, id);
  const texts = (NAMED[kind] ?? []).map((family) => labelOf(t, family, id));
  return texts.find((label) => label !== id) ?? id;
}

/** What something is about: its kind, and which one; leads to its page where the operator may open that. */
export function SubjectLink({ of: subject }: { of: string }) {
  const { t } = useText();
  const me = useMe();
  const [kind = '', ...rest] = subject.split(':');
  const name = nameOf(t, kind, rest.join(':'));
  const place = placeOf(subject);
  const style = { overflowWrap: 'anywhere' } as const;
  return (
    <Stack gap={0}>
      <Text size="sm">{labelOf(t, 'type', kind)}</Text>
      {place && may(me, place.permission) ? (
        <Anchor component={Link} href={place.path} size="xs" style={style}>
          {name}
        </Anchor>
      ) : (
        <Text size="xs" c="dimmed" style={style}>
          {name}
        </Text>
      )}
    </Stack>
  );
}
