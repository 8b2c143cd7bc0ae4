import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { KeyHint, Tag } from '../../components/cells.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { valueText } from '../../platform/value-text.ts';

type Row = Reply<'GET /api/operator/approvals'>['approvals'][number];
type Thread = Reply<'GET /api/operator/approvals/{id}/thread'>;

const isList = (value: unknown): value is string[] => Array.isArray(value);

/** What one value becomes another by: of lists what is added and taken away, else both. */
function Difference({ name, from, to }: { name: string; from: unknown; to: unknown }) {
  const { t } = useText();
  const only = (some: unknown, others: unknown) => {
    const shown = isList(others) ? new Set(others.map((one) => JSON.stringify(one))) : null;
    return isList(some) ? some.filter((one) => !shown?.has(JSON.stringify(one))) : [some];
  };
  return (
    <Stack gap={2}>
      {only(from, to).map((value) => (
        <Text key={JSON.stringify(value)} size="sm" c="var(--bad)" style={{ overflowWrap: 'anywhere' }}>
          {`− ${valueText(t, name, value)}`}
        </Text>
      ))}
      {only(to, from).map((value) => (
        <Text key={JSON.stringify(value)} size="sm" c="var(--ok)" style={{ overflowWrap: 'anywhere' }}>
          {`+ ${valueText(t, name, value)}`}
        </Text>
      ))}
    </Stack>
  );
}

/** What a summary names before and after: the value that its maker saw, and the one that the request would set. */
const PAIRS = [
  ['from', 'to'],
  ['fromName', 'name'],
  ['fromLimits', 'limits'],
] as const;

/** What a pending request would set beside what is in force now, and whether that is still what its maker saw. */
function InForce({ of: row, thread }: { of: Row; thread: Thread }) {
  const { t } = useText();
  const { current, changed } = thread;
  if (!current) return null;
  const { summary } = row;
  // Such a summary tells values before and after; another tells each field by its own name.
  const pairs = PAIRS.filter(([from, to]) => from in current && to in summary);
  const fields = Object.keys({ ...current, ...summary }).filter((name) => name in current);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Title order={3} size="h6">
          {t('approval.inForce')}
        </Title>
        {changed && <Tag tone="warn">{t('approval.changed')}</Tag>}
      </Group>
      {pairs.length === 0 &&
        fields.map((name) => (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {`${labelOf(t, 'sum', name)} ${valueText(t, name, current[name])}`}
          </Text>
        ))}
      {pairs.map(([from, to]) => (
        <Stack key={from} gap={2}>
          <Difference name={to} from={current[from]} to={summary[to]} />
          {JSON.stringify(current[from]) !== JSON.stringify(summary[from]) && (
            <Text size="sm" c="var(--warn)">
              {t('approval.makerSaw', { value: valueText(t, from, summary[from]) })}
            </Text>
          )}
        </Stack>
      ))}
    </Stack>
  );
}

function NewComment({ id }: { id: string }) {
  const { t } = useText();
  const notice = useNotice();
  const [text, setText] = useState('');
  const { isBusy, run } = useSingleCall();
  const isEmpty = text.trim() === '';
  const add = async () => {
    try {
      await api('POST /api/operator/approvals/{id}/comments', {
        params: { id },
        body: { text: text.trim() },
      });
      setText((now) => (now === text ? '' : now));
    } catch (error) {
      notice.complain(error);
    }
    void queries.invalidateQueries({ queryKey: ['approvals'] });
  };
  return (
    <>
      <Textarea
        aria-label={t('approval.newComment')}
        placeholder={t('approval.newComment')}
        autosize
        minRows={2}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isEmpty) run(add);
        }}
      />
      <Group justify="flex-end">
        <KeyHint keys={['Ctrl', 'Enter']}>{t('keys.send')}</KeyHint>
        <Button
          variant="default"
          size="compact-md"
          disabled={isEmpty}
          loading={isBusy}
          onClick={() => run(add)}
        >
          {t('approval.addComment')}
        </Button>
      </Group>
    </>
  );
}

/** What is in force beside a request, and what its maker and others wrote about it. */
export function RequestThread({ of: row }: { of: Row }) {
  const { t } = useText();
  const thread = useQuery({
    queryKey: ['approvals', 'thread', row.id],
    queryFn: () => api('GET /api/operator/approvals/{id}/thread', { params: { id: row.id } }),
  });
  if (!thread.data) return <ReadError of={thread} />;
  return (
    <>
      <ReadError of={thread} />
      <InForce of={row} thread={thread.data} />
      <Stack gap="xs">
        <Title order={3} size="h6">
          {t('approval.comments')}
        </Title>
        {thread.data.comments.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('approval.noComments')}
          </Text>
        )}
        {thread.data.comments.map(({ id, at, by, text }) => (
          <Stack key={id} gap={0}>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            <Text size="xs" c="dimmed">{`${by} · ${dateTimeText(at)}`}</Text>
          </Stack>
        ))}
        {row.state === 'PENDING' && <NewComment id={row.id} />}
      </Stack>
    </>
  );
}
