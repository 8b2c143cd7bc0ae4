import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Tag, When } from '../../components/cells.tsx';
import { CodeField } from '../../components/code-field.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { still } from '../../platform/use-list.ts';
import { Keys } from './keys.tsx';

type Row = Reply<'GET /api/operator/sessions'>['sessions'][number];

const EMPTY = { oldPassword: '', newPassword: '', code: '' };
const PASSWORD_LEAST = 12;

function PasswordForm() {
  const { t } = useText();
  const notice = useNotice();
  const [values, setValues] = useState(EMPTY);
  const { isBusy, run } = useSingleCall();
  const set = (change: Partial<typeof EMPTY>) => setValues((before) => ({ ...before, ...change }));
  const change = async () => {
    try {
      await api('POST /api/operator/password', { body: values });
      notice.say(t('me.passwordDone'));
      setValues(EMPTY);
    } catch (error) {
      notice.complain(error);
      set({ code: '' });
    }
    void queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(change);
  };
  return (
    <Paper withBorder p="md" maw={420}>
      <form onSubmit={submit}>
        <Stack>
          <Title order={2} size="h4">
            {t('me.password')}
          </Title>
          <PasswordInput
            label={t('me.oldPassword')}
            autoComplete="current-password"
            required
            maxLength={200}
            value={values.oldPassword}
            onChange={(event) => set({ oldPassword: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('enrol.password')}
            description={t('enrol.passwordHint', { least: PASSWORD_LEAST })}
            autoComplete="new-password"
            required
            minLength={PASSWORD_LEAST}
            maxLength={200}
            value={values.newPassword}
            onChange={(event) => set({ newPassword: event.currentTarget.value })}
          />
          <CodeField value={values.code} onChange={(code) => set({ code })} />
          <Button type="submit" loading={isBusy} disabled={values.code.length !== 6}>
            {t('me.password')}
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

/** The operator's own account: where they are signed in, and their password. */
export function MePage() {
  const { t } = useText();
  const notice = useNotice();
  const list = useQuery({ queryKey: ['sessions'], queryFn: () => api('GET /api/operator/sessions') });
  const end = async (id: string) => {
    await api('DELETE /api/operator/sessions/{id}', { params: { id } }).catch(notice.complain);
    void queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  const columns: Column<Row>[] = [
    { id: 'at', head: t('col.at'), cell: (row) => <When at={row.createdAt} /> },
    { id: 'seen', head: t('team.lastSeen'), cell: (row) => <When at={row.seenAt} /> },
    { id: 'address', head: t('col.address'), cell: (row) => <Text size="sm">{row.address}</Text> },
    { id: 'device', head: t('col.device'), cell: (row) => <Text size="xs">{row.device ?? '–'}</Text> },
    {
      id: 'end',
      head: '',
      cell: (row) =>
        row.current ? (
          <Tag tone="brand">{t('me.current')}</Tag>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => void end(row.id)}>
            {t('me.end')}
          </Button>
        ),
    },
  ];
  return (
    <Page title={t('me.title')}>
      <Title order={2} size="h4">
        {t('me.sessions')}
      </Title>
      <DataTable
        name={t('me.sessions')}
        columns={columns}
        rows={still(list.data?.sessions)}
        total={list.data?.sessions.length}
        list={list}
      />
      <Keys />
      <PasswordForm />
    </Page>
  );
}
