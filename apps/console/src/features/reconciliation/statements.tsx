import { dateText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { FileUp } from 'lucide';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { UploadButton } from '../../components/upload-button.tsx';
import { api, queries, type Reply, upload } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { useCursorList } from '../../platform/use-list.ts';
import { type Run, sourceName } from './sources.tsx';

type File = Reply<'GET /api/operator/reconciliation/statements'>['statements'][number];

const MINUTES_5_MS = 300_000;
const FORMATS = { csv: 'CSV', mt940: 'MT940', 'camt.053': 'camt.053' } as const;
const ACCEPT = '.csv,.txt,.sta,.940,.mt940,.xml,text/csv,text/plain,application/xml';

const readAgain = () => void queries.invalidateQueries({ queryKey: ['reconciliation'] });

/** Uploads a statement of an account, and reports the days it covers. */
function useUpload(source: string | null) {
  const { t } = useText();
  const notice = useNotice();
  return async (file: globalThis.File) => {
    const form = new FormData();
    form.append('source', source ?? '');
    form.append('file', file, file.name);
    const taken = await upload('POST /api/operator/reconciliation/statements', {
      form,
      idempotencyKey: crypto.randomUUID(),
      timeoutMs: MINUTES_5_MS,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    const days = { from: dateText(taken.from), to: dateText(taken.to), count: taken.lines };
    notice.say(taken.isRepeat ? t('recon.fileRepeated') : t('recon.fileTaken', days));
    readAgain();
  };
}

function useFileColumns(nameOf: (source: string) => string, onRemove: ((row: File) => void) | null) {
  const { t } = useText();
  const columns: Column<File>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.uploadedAt} /> },
    {
      id: 'file',
      head: t('recon.file'),
      cell: (row) => (
        <Stack gap={0} maw={260}>
          <Text size="sm" fw={600} truncate title={row.name}>
            {row.name}
          </Text>
          <Text size="xs" c="dimmed">
            {[nameOf(row.source), FORMATS[row.format], t('recon.entries', { count: row.lines })].join(' · ')}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'days',
      head: t('recon.days'),
      cell: (row) => (
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {[...new Set([dateText(row.from), dateText(row.to)])].join(' – ')}
        </Text>
      ),
    },
    {
      id: 'by',
      head: t('col.actor'),
      cell: (row) => <Text size="sm">{row.uploadedBy.replace(/^operator:/, '')}</Text>,
    },
    {
      id: 'actions',
      head: '',
      cell: (row) =>
        row.removedAt ? (
          <Tag tone="ink-2">{t('recon.fileRemoved')}</Tag>
        ) : (
          onRemove && (
            <Button size="compact-sm" variant="default" onClick={() => onRemove(row)}>
              {t('recon.removeFile')}
            </Button>
          )
        ),
    },
  ];
  return columns;
}

/** Requests the reason for retiring a file. */
function RemoveFile({ of: { id, name }, onClose }: { of: File; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const send = async ({ reason = '' }: Record<string, string>) => {
    const body = { reason: reason.trim() };
    try {
      await api('POST /api/operator/reconciliation/statements/{id}/remove', { params: { id }, body });
      notice.say(t('recon.fileOut'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      readAgain();
    }
  };
  return (
    <ActionDialog
      title={t('recon.removeFile')}
      yes={t('recon.removeFile')}
      isDangerous
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
      onYes={send}
      onClose={onClose}
    >
      <Text size="sm">{name}</Text>
    </ActionDialog>
  );
}

function UploadRow({ banks }: { banks: readonly Run[] }) {
  const { t } = useText();
  const [chosen, setSource] = useState<string | null>(null);
  const source = chosen ?? banks[0]?.source ?? null;
  const send = useUpload(source);
  return (
    <Group align="flex-end">
      <Select
        label={t('recon.account')}
        data={banks.map((run) => ({ value: run.source, label: sourceName(t, run) }))}
        value={source}
        onChange={setSource}
        allowDeselect={false}
        w={280}
      />
      <UploadButton
        label={t('recon.chooseFile')}
        accept={ACCEPT}
        icon={FileUp}
        disabled={!source}
        onFile={send}
      />
    </Group>
  );
}

/** Statement files of our bank accounts: uploads one, lists them, takes one out of use. */
function StatementFiles({ runs, onClose }: { runs: readonly Run[]; onClose: () => void }) {
  const { t } = useText();
  const canSettle = may(useMe(), 'reconciliation.settle');
  const [removed, setRemoved] = useState<File | null>(null);
  const banks = runs.filter(({ kind }) => kind === 'bank');
  const nameOf = (id: string) => {
    const run = banks.find(({ source }) => source === id);
    return run ? sourceName(t, run) : id;
  };
  const list = useCursorList({
    queryKey: ['reconciliation', 'statements'],
    read: (paging) => api('GET /api/operator/reconciliation/statements', { query: paging }),
    rowsOf: (reply) => reply.statements,
  });
  const columns = useFileColumns(nameOf, canSettle ? setRemoved : null);
  return (
    <Dialog onClose={onClose} size={900} title={t('recon.files')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('recon.filesHint')}
        </Text>
        {canSettle && <UploadRow banks={banks} />}
        <DataTable {...list} name={t('recon.files')} columns={columns} empty={t('recon.noFiles')} />
      </Stack>
      {removed && <RemoveFile of={removed} onClose={() => setRemoved(null)} />}
    </Dialog>
  );
}

/** Opens the statement files. */
export function StatementButton({ runs }: { runs: readonly Run[] }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon of={FileUp} />} onClick={() => setOpen(true)}>
        {t('recon.files')}
      </Button>
      {isOpen && <StatementFiles runs={runs} onClose={() => setOpen(false)} />}
    </>
  );
}
