import type { Permission } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  Badge,
  Button,
  Group,
  MultiSelect,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { type FormEvent, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { draftOf, isLimitDraft, LimitFields, LimitLines, limitsOf } from './limit-fields.tsx';
import { useRequest } from './use-request.ts';

export type Role = Reply<'GET /api/operator/roles'>['roles'][number];

const REASON_LEAST = 3;
const CODE = /^[a-z][a-z0-9-]{1,38}$/;

/** Returns what names a role by its code: the name operators gave it, else the standard one. */
export function useRoleName(roles: readonly Pick<Role, 'code' | 'name'>[]): (code: string) => string {
  const { t } = useText();
  return (code) => roles.find((role) => role.code === code)?.name || labelOf(t, 'role', code);
}

/** A role as it is written; `isNew` has no code yet. */
interface Draft {
  isNew: boolean;
  role: Pick<Role, 'code' | 'name' | 'permissions' | 'limits'>;
}

interface EditorProps {
  of: Draft;
  title: string;
  /** The codes in use. */
  taken: readonly string[];
  all: readonly Permission[];
  currencies: readonly Currency[];
  onClose: () => void;
}

/** Requests a new role, or other permissions, limits or another name; a second person decides. */
function RoleEditor({ of: { isNew, role }, title, taken, all, currencies, onClose }: EditorProps) {
  const { t } = useText();
  const request = useRequest();
  const { isBusy, run } = useSingleCall();
  const [code, setCode] = useState(role.code);
  const [name, setName] = useState(role.name);
  const [chosen, setChosen] = useState<string[]>(role.permissions);
  const [limits, setLimits] = useState(() => draftOf(role.limits));
  const [reason, setReason] = useState('');
  const isTaken = isNew && taken.includes(code);
  const isComplete =
    CODE.test(code) && !isTaken && isLimitDraft(limits) && reason.trim().length >= REASON_LEAST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    // Only what was edited: what another has changed since the dialog opened stays.
    const isEdited = JSON.stringify(limitsOf(limits)) !== JSON.stringify(limitsOf(draftOf(role.limits)));
    const body = {
      permissions: chosen as Permission[],
      ...(isNew || name.trim() !== role.name ? { name: name.trim() } : {}),
      ...(isNew || isEdited ? { limits: limitsOf(limits) } : {}),
      ...(isNew && { isNew }),
      reason,
    };
    run(() => request(() => api('PUT /api/operator/roles/{code}', { params: { code }, body })).then(onClose));
  };
  return (
    <Dialog onClose={onClose} size="lg" title={title} isLocked={isBusy}>
      <form onSubmit={submit}>
        <Stack>
          <Group grow align="flex-start">
            {isNew && (
              <TextInput
                label={t('games.code')}
                required
                maxLength={40}
                value={code}
                error={isTaken && t('error.CODE_TAKEN')}
                onChange={(event) => setCode(event.currentTarget.value.toLowerCase())}
              />
            )}
            <TextInput
              label={t('team.roleName')}
              placeholder={labelOf(t, 'role', role.code)}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </Group>
          <MultiSelect
            label={t('team.permissions')}
            data={all.map((value) => ({ value, label: t(`perm.${value}`) }))}
            value={chosen}
            onChange={setChosen}
            searchable
          />
          <Title order={3} size="h5">
            {t('limits.ofRole')}
          </Title>
          <LimitFields of={limits} currencies={currencies} onChange={setLimits} />
          <Textarea
            label={t('field.reason')}
            required
            minLength={REASON_LEAST}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy} disabled={!isComplete}>
            {t('withdrawals.sendToChecker')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Requests the removal of a role without operators. */
function RemoveRole({ role, title, onClose }: { role: Role; title: string; onClose: () => void }) {
  const { t } = useText();
  const request = useRequest();
  return (
    <ActionDialog
      title={title}
      yes={t('team.removeRole')}
      isDangerous
      fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: REASON_LEAST }]}
      onYes={({ reason = '' }) =>
        request(() =>
          api('POST /api/operator/roles/{code}/remove', { params: { code: role.code }, body: { reason } }),
        )
      }
      onClose={onClose}
    />
  );
}

type DialogState = { action: 'edit' | 'copy' | 'new' | 'remove'; role: Role | null };

function RoleRow({
  role,
  name,
  openDialog,
}: {
  role: Role;
  name: string;
  openDialog: (dialog: DialogState) => void;
}) {
  const { t } = useText();
  const canManage = may(useMe(), 'operator.manage');
  const actions = ['edit', 'copy', ...(role.operators === 0 ? ['remove'] : [])] as (
    | 'edit'
    | 'copy'
    | 'remove'
  )[];
  const labels = { edit: t('team.editRole'), copy: t('team.copyRole'), remove: t('team.removeRole') };
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" mb={4}>
        <Group gap="sm">
          <Text fw={600} size="sm">
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {`${role.code} · ${t('team.operators', { count: role.operators })}`}
          </Text>
        </Group>
        {canManage && (
          <Group gap={4}>
            {actions.map((action) => (
              <Button
                key={action}
                size="compact-sm"
                variant="default"
                aria-label={`${labels[action]} ${name}`}
                onClick={() => openDialog({ action, role })}
              >
                {labels[action]}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      <Group gap={6}>
        {role.permissions.map((permission) => (
          <Badge key={permission} variant="default">
            {t(`perm.${permission}`)}
          </Badge>
        ))}
      </Group>
      <LimitLines of={role.limits} />
    </Paper>
  );
}

const EMPTY: Draft['role'] = { code: '', name: '', permissions: [], limits: [] };

/** What each role may do and up to how much, and changing it. */
export function Roles() {
  const { t } = useText();
  const canManage = may(useMe(), 'operator.manage');
  const [dialog, setDialog] = useState<DialogState | null>(null);
  const list = useQuery({ queryKey: ['team', 'roles'], queryFn: () => api('GET /api/operator/roles') });
  const roles = list.data?.roles ?? [];
  const nameOf = useRoleName(roles);
  const close = () => setDialog(null);
  const of = dialog?.role ? nameOf(dialog.role.code) : '';
  const titles = {
    new: t('team.newRole'),
    copy: `${t('team.copyRole')} · ${of}`,
    edit: of,
    remove: `${t('team.removeRole')} · ${of}`,
  };
  return (
    <>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('team.roles')}
        </Title>
        {canManage && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon of={Plus} size={16} />}
            onClick={() => setDialog({ action: 'new', role: null })}
          >
            {t('team.newRole')}
          </Button>
        )}
      </Group>
      <ReadError of={list} />
      <Stack gap="xs">
        {roles.map((role) => (
          <RoleRow key={role.code} role={role} name={nameOf(role.code)} openDialog={setDialog} />
        ))}
      </Stack>
      {dialog?.action === 'remove' && dialog.role && (
        <RemoveRole role={dialog.role} title={titles.remove} onClose={close} />
      )}
      {dialog && dialog.action !== 'remove' && (
        <RoleEditor
          of={{
            isNew: dialog.action !== 'edit',
            role: { ...(dialog.role ?? EMPTY), ...(dialog.action === 'copy' ? { code: '', name: '' } : {}) },
          }}
          title={titles[dialog.action]}
          taken={roles.map(({ code }) => code)}
          all={list.data?.permissions ?? []}
          currencies={list.data?.currencies ?? []}
          onClose={close}
        />
      )}
    </>
  );
}
