import type { Permission } from '@krapao/contract/operator';
import { useText } from '@krapao/ui/text/text.tsx';
import { Badge, Button, Group, Modal, MultiSelect, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';

type Role = Reply<'GET /api/operator/roles'>['roles'][number];

const REASON_LEAST = 3;

/** Asks for another set of permissions; a second person decides. */
function EditRole({ role, all, onClose }: { role: Role; all: readonly Permission[]; onClose: () => void }) {
  const { t } = useText();
  const notice = useNotice();
  const [chosen, setChosen] = useState<string[]>(role.permissions);
  const [reason, setReason] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = { permissions: chosen as Permission[], reason };
      const response = await api('PUT /api/operator/roles/{code}', { params: { code: role.code }, body });
      notice.say(response.approval ? t('approval.asked') : t('team.done'));
      onClose();
    } catch (error) {
      notice.complain(error);
    }
    void queries.invalidateQueries({ queryKey: ['team'] });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={700}>{labelOf(t, 'role', role.code)}</Text>}
      closeButtonProps={{ 'aria-label': t('btn.close') }}
    >
      <form onSubmit={submit}>
        <Stack>
          <MultiSelect
            label={t('team.permissions')}
            data={all.map((value) => ({ value, label: t(`perm.${value}`) }))}
            value={chosen}
            onChange={setChosen}
            searchable
          />
          <Textarea
            label={t('field.reason')}
            required
            minLength={REASON_LEAST}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button type="submit" disabled={reason.trim().length < REASON_LEAST}>
            {t('withdrawals.sendToChecker')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** What each role may do, and changing it. */
export function Roles() {
  const { t } = useText();
  const canManage = may(useMe(), 'operator.manage');
  const [edited, setEdited] = useState<Role | null>(null);
  const roles = useQuery({ queryKey: ['team', 'roles'], queryFn: () => api('GET /api/operator/roles') });
  return (
    <>
      <Title order={2} size="h4">
        {t('team.roles')}
      </Title>
      <Stack gap="xs">
        {roles.data?.roles.map((role) => (
          <Paper key={role.code} withBorder p="sm">
            <Group justify="space-between" mb={4}>
              <Text fw={600} size="sm">
                {labelOf(t, 'role', role.code)}
              </Text>
              {canManage && (
                <Button size="compact-sm" variant="default" onClick={() => setEdited(role)}>
                  {t('team.editRole')}
                </Button>
              )}
            </Group>
            <Group gap={6}>
              {role.permissions.map((permission) => (
                <Badge key={permission} variant="default">
                  {t(`perm.${permission}`)}
                </Badge>
              ))}
            </Group>
          </Paper>
        ))}
      </Stack>
      {edited && (
        <EditRole role={edited} all={roles.data?.permissions ?? []} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
