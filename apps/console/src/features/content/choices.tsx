import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { BankMark, Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';

type Choices = Reply<'GET /api/operator/choices'>;
type Source = Choices['sources'][number];
type Bank = Choices['banks'][number];
type Kind = 'sources' | 'banks';
interface Choice {
  code: string;
  names: string;
  isOpen: boolean;
}

/** Does one change; the lists are read again whatever becomes of it. */
function useSend() {
  const { t } = useText();
  const notice = useNotice();
  return async (work: () => Promise<unknown>) => {
    try {
      await work();
      notice.say(t('content.choiceSaved'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['content', 'choices'] });
    }
  };
}

function useFields(kind: Kind, row: Source | Bank | null): DialogField[] {
  const { t } = useText();
  const source = kind === 'sources' ? (row as Source | null) : null;
  const bank = kind === 'banks' ? (row as Bank | null) : null;
  const code: DialogField = { name: 'code', label: t('content.code'), least: 1 };
  const isOpen: DialogField = {
    name: 'isOpen',
    label: t('content.isOffered'),
    value: row && !row.isOpen ? 'no' : 'yes',
    options: [
      { value: 'yes', label: t('content.offered') },
      { value: 'no', label: t('content.notOffered') },
    ],
  };
  const names: DialogField[] =
    kind === 'sources'
      ? [
          { name: 'th', label: 'ไทย', least: 1, value: source?.th ?? '' },
          { name: 'la', label: 'ລາວ', least: 1, value: source?.la ?? '' },
          { name: 'en', label: 'English', least: 1, value: source?.en ?? '' },
        ]
      : [
          { name: 'local', label: t('content.localName'), least: 1, value: bank?.local ?? '' },
          { name: 'en', label: t('content.englishName'), least: 1, value: bank?.en ?? '' },
        ];
  const reason: DialogField = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  return [...(row ? [] : [code]), ...names, isOpen, reason];
}

function Question({ kind, row, onClose }: { kind: Kind; row: Source | Bank | null; onClose: () => void }) {
  const { t } = useText();
  const send = useSend();
  const fields = useFields(kind, row);
  const onYes = (values: Record<string, string>) => {
    const { code = row?.code ?? '', th = '', la = '', en = '', local = '', reason = '' } = values;
    const isOpen = values.isOpen === 'yes';
    const params = { code: code.trim() };
    const color = row && 'color' in row ? row.color : null;
    const { code: _, ...seen } = row ?? { code: '' };
    const isNew = row === null;
    return send(() =>
      kind === 'sources'
        ? api('PUT /api/operator/sources/{code}', {
            params,
            body: { th, la, en, isOpen, reason, seen: isNew ? null : (seen as Omit<Source, 'code'>) },
          })
        : api('PUT /api/operator/banks/{code}', {
            params,
            body: { local, en, color, isOpen, reason, seen: isNew ? null : (seen as Omit<Bank, 'code'>) },
          }),
    );
  };
  return (
    <ActionDialog
      title={row ? `${t('content.change')} · ${row.code}` : t(`content.add-${kind}`)}
      yes={row ? t('content.change') : t(`content.add-${kind}`)}
      fields={fields}
      onYes={onYes}
      onClose={onClose}
    />
  );
}

function Name({ row, bank }: { row: Choice; bank: Bank | null }) {
  const { t } = useText();
  return (
    <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
      {bank && <BankMark code={bank.code} color={bank.color} />}
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Text size="sm" c={row.isOpen ? undefined : 'dimmed'}>
          {row.names}
        </Text>
        <Text size="xs" c="dimmed">
          {row.code}
        </Text>
      </Stack>
      {!row.isOpen && <Tag tone="ink-2">{t('content.notOffered')}</Tag>}
    </Group>
  );
}

function RowActions(props: {
  code: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
  onChange: () => void;
}) {
  const { t } = useText();
  const { code: name } = props;
  return (
    <Group gap={4} wrap="nowrap">
      <MoveButtons name={name} isFirst={props.isFirst} isLast={props.isLast} onMove={props.onMove} />
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t('content.change')} ${name}`}
        onClick={props.onChange}
      >
        {t('content.change')}
      </Button>
    </Group>
  );
}

/** One list in its order, each row with what can be done to it. */
function List({ kind, rows, of }: { kind: Kind; rows: Choice[]; of: Choices }) {
  const { t } = useText();
  const send = useSend();
  const canManage = may(useMe(), 'content.manage');
  const [dialog, setDialog] = useState<{ row: Source | Bank | null } | null>(null);
  const codes = rows.map((row) => row.code);
  const move = (code: string, by: number) => {
    const body = { codes: movedBy(codes, code, by) };
    void send(() => api(`POST /api/operator/${kind}/order`, { body })).catch(() => undefined);
  };
  const rowOf = (code: string) => of[kind].find((row) => row.code === code) as Source | Bank;
  return (
    <Paper withBorder p="md" component="section" aria-label={t(`content.${kind}`)}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t(`content.${kind}`)}
        </Title>
        {canManage && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon of={Plus} size={16} />}
            onClick={() => setDialog({ row: null })}
          >
            {t(`content.add-${kind}`)}
          </Button>
        )}
      </Group>
      <Stack gap={6}>
        {rows.map((row, index) => (
          <Group key={row.code} justify="space-between" wrap="nowrap">
            <Name row={row} bank={kind === 'banks' ? (rowOf(row.code) as Bank) : null} />
            {canManage && (
              <RowActions
                code={row.code}
                isFirst={index === 0}
                isLast={index === rows.length - 1}
                onMove={(by) => move(row.code, by)}
                onChange={() => setDialog({ row: rowOf(row.code) })}
              />
            )}
          </Group>
        ))}
      </Stack>
      {dialog && <Question kind={kind} row={dialog.row} onClose={() => setDialog(null)} />}
    </Paper>
  );
}

/** The choices of the registration form: sources, and banks. */
export function ChoiceLists() {
  const list = useQuery({
    queryKey: ['content', 'choices'],
    queryFn: () => api('GET /api/operator/choices'),
  });
  if (!list.data) return <ReadError of={list} />;
  const { sources, banks } = list.data;
  return (
    <Stack>
      <ReadError of={list} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <List
          kind="sources"
          of={list.data}
          rows={sources.map((row) => ({ ...row, names: `${row.th} · ${row.la} · ${row.en}` }))}
        />
        <List
          kind="banks"
          of={list.data}
          rows={banks.map((row) => ({ ...row, names: `${row.local} · ${row.en}` }))}
        />
      </SimpleGrid>
    </Stack>
  );
}
