import type { Permission } from '@krapao/contract/operator';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  Button,
  Group,
  MultiSelect,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { type FormEvent, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag, When } from '../../components/cells.tsx';
import { CodeField } from '../../components/code-field.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ShownSecret } from '../../components/shown-secret.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { still } from '../../platform/use-list.ts';

type Row = Reply<'GET /api/operator/keys'>['keys'][number];

const DAYS = ['30', '90', '180', '365'];
const NAME = '[a-z0-9][a-z0-9.-]{0,38}';
const EMPTY = { name: '', permissions: [] as string[], days: '90', password: '', code: '' };

const readAgain = () => queries.invalidateQueries({ queryKey: ['keys'] });

/** Requests the purpose of a key, the password and the code. */
function KeyForm({
  allowed,
  onMade,
  onClose,
}: {
  allowed: readonly Permission[];
  onMade: (key: string) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const notice = useNotice();
  const [values, setValues] = useState(EMPTY);
  const [isBusy, setBusy] = useState(false);
  const set = (change: Partial<typeof EMPTY>) => setValues((before) => ({ ...before, ...change }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = {
        ...values,
        permissions: values.permissions as Permission[],
        days: Number(values.days),
      };
      const { key } = await api('POST /api/operator/keys', { body });
      onMade(key);
      onClose();
    } catch (error) {
      notice.complain(error);
      set({ code: '' });
      setBusy(false);
    }
    void readAgain();
  };
  return (
    <Dialog onClose={onClose} size="lg" title={t('key.add')} isLocked={isBusy}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('key.name')}
            description={t('key.nameHint')}
            required
            pattern={NAME}
            maxLength={39}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            {...FOCUSED}
          />
          <MultiSelect
            label={t('key.permissions')}
            data={allowed.map((value) => ({ value, label: t(`perm.${value}`) }))}
            value={values.permissions}
            onChange={(permissions) => set({ permissions })}
            withAsterisk
            searchable
          />
          <Select
            label={t('key.days')}
            data={DAYS.map((value) => ({ value, label: t('key.forDays', { days: value }) }))}
            value={values.days}
            onChange={(days) => set({ days: days ?? EMPTY.days })}
            allowDeselect={false}
          />
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            required
            maxLength={200}
            value={values.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
          <CodeField value={values.code} onChange={(code) => set({ code })} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {t('btn.cancel')}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={values.code.length !== 6 || values.permissions.length === 0}
            >
              {t('key.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function useColumns(onRevoke: (row: Row) => void): Column<Row>[] {
  const { t } = useText();
  return [
    {
      id: 'name',
      head: t('key.name'),
      cell: (row) => (
        <Stack gap={0} maw={360}>
          <Text size="sm" fw={600}>
            {row.name}
          </Text>
          <Text size="xs" c="dimmed">
            {row.permissions.map((one) => t(`perm.${one}`)).join(', ')}
          </Text>
        </Stack>
      ),
    },
    { id: 'expires', head: t('key.expires'), cell: (row) => <When at={row.expiresAt} /> },
    {
      id: 'used',
      head: t('key.lastUsed'),
      cell: (row) => (
        <Stack gap={0}>
          <When at={row.lastUsedAt} />
          <Text size="xs" c="dimmed">
            {row.lastAddress}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'revoke',
      head: '',
      cell: (row) => {
        if (row.revokedAt) return <Tag tone="ink-2">{t('key.revoked')}</Tag>;
        if (Date.parse(row.expiresAt) <= Date.now()) return <Tag tone="ink-2">{t('key.expired')}</Tag>;
        return (
          <Button size="compact-sm" variant="default" onClick={() => onRevoke(row)}>
            {t('key.revoke')}
          </Button>
        );
      },
    },
  ];
}

/** The operator's own API keys: making one, which is shown once, and revoking them. */
export function Keys() {
  const { t } = useText();
  const notice = useNotice();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<Row | null>(null);
  const list = useQuery({ queryKey: ['keys'], queryFn: () => api('GET /api/operator/keys') });
  const revoke = async (id: string) => {
    try {
      await api('DELETE /api/operator/keys/{id}', { params: { id } });
      notice.say(t('key.revoked'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
  return (
    <>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('key.title')}
        </Title>
        <Button variant="default" leftSection={<Icon of={Plus} />} onClick={() => setAdding(true)}>
          {t('key.add')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t('key.about')}
      </Text>
      {made && (
        <ShownSecret
          title={t('key.once')}
          note={t('key.onceNote')}
          secret={made}
          onClose={() => setMade(null)}
        />
      )}
      <DataTable
        name={t('key.title')}
        columns={useColumns(setRevoked)}
        rows={still(list.data?.keys)}
        total={list.data?.keys.length}
        list={list}
        empty={t('key.empty')}
      />
      {isAdding && (
        <KeyForm allowed={list.data?.permissions ?? []} onMade={setMade} onClose={() => setAdding(false)} />
      )}
      {revoked && (
        <ActionDialog
          title={`${t('key.revoke')} · ${revoked.name}`}
          yes={t('key.revoke')}
          isDangerous
          onYes={() => revoke(revoked.id)}
          onClose={() => setRevoked(null)}
        >
          <Text size="sm" c="dimmed">
            {t('key.revokeNote')}
          </Text>
        </ActionDialog>
      )}
    </>
  );
}
