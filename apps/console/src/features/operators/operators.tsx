import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Code, Menu, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, UserPlus } from 'lucide';
import { useState } from 'react';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { State, When } from '../../components/cells.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageDialog } from '../../platform/address.ts';
import { api, queries, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { still } from '../../platform/use-list.ts';
import { LimitLines } from './limit-fields.tsx';
import { OperatorLimits } from './operator-limits.tsx';
import { type Role, Roles, useRoleName } from './roles.tsx';

type Row = Reply<'GET /api/operator/operators'>['operators'][number] & { id: string };
type Action = 'invite' | 'role' | 'reset' | 'ACTIVE' | 'SUSPENDED' | 'sessions' | 'keys';
type DialogState = { action: Action | 'limits'; row: Row | null };

const readAgain = () => queries.invalidateQueries({ queryKey: ['team'] });

/** The address of an enrolment, shown once. */
interface Made {
  /** The operator it is for. */
  name: string;
  link: string;
  /** It opens nothing before a second person has agreed. */
  waits: boolean;
}

/** Does one action; returns the address of an enrolment where one was made. */
function useSend() {
  const { t } = useText();
  const notice = useNotice();
  const made = (name: string, { token, approval }: { token: string; approval: string | null }): Made => ({
    name,
    link: `${location.origin}/enrol#${token}`,
    waits: approval !== null,
  });
  return async (action: Action, row: Row | null, values: Record<string, string>): Promise<Made | null> => {
    const params = { name: row?.name ?? '' };
    const { reason = '', role = '', name = '' } = values;
    try {
      switch (action) {
        case 'invite':
          return made(
            name.trim(),
            await api('POST /api/operator/operators', { body: { name: name.trim(), role, reason } }),
          );
        case 'reset':
          return made(
            params.name,
            await api('POST /api/operator/operators/{name}/enrolment', { params, body: { reason } }),
          );
        case 'role': {
          const response = await api('POST /api/operator/operators/{name}/role', {
            params,
            body: { role, reason },
          });
          notice.say(response.approval ? t('approval.requested') : t('team.done'));
          return null;
        }
        case 'sessions':
          await api('POST /api/operator/operators/{name}/sessions/end', { params, body: { reason } });
          break;
        case 'keys':
          await api('POST /api/operator/operators/{name}/keys/revoke', { params, body: { reason } });
          break;
        default: {
          const response = await api('POST /api/operator/operators/{name}/status', {
            params,
            body: { status: action, reason },
          });
          notice.say(response.approval ? t('approval.requested') : t('team.done'));
          return null;
        }
      }
      notice.say(t('team.done'));
      return null;
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      void readAgain();
    }
  };
}

function useTitles(): Record<Action, string> {
  const { t } = useText();
  return {
    invite: t('team.invite'),
    role: t('team.changeRole'),
    reset: t('team.reset'),
    ACTIVE: t('team.activate'),
    SUSPENDED: t('team.suspend'),
    sessions: t('member.endSessions'),
    keys: t('key.revokeAll'),
  };
}

function Question({
  action,
  row,
  roles,
  onMade,
  onClose,
}: {
  action: Action;
  row: Row | null;
  roles: readonly Role[];
  onMade: (made: Made) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const me = useMe();
  const send = useSend();
  const titles = useTitles();
  const roleName = useRoleName(roles);
  const role: DialogField = {
    name: 'role',
    label: t('team.role'),
    value: row?.role ?? 'support',
    options: roles.map(({ code }) => ({ value: code, label: roleName(code) })),
  };
  const reason: DialogField = { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
  const name: DialogField = { name: 'name', label: t('signIn.name'), least: 2 };
  const fields = action === 'invite' ? [name, role, reason] : action === 'role' ? [role, reason] : [reason];
  return (
    <ActionDialog
      title={row ? `${titles[action]} · ${row.name}` : titles[action]}
      yes={titles[action]}
      fields={fields}
      onYes={async (values) => {
        const made = await send(action, row, values);
        if (made) onMade(made);
      }}
      onClose={onClose}
    >
      {me.makerChecker && (action === 'invite' || action === 'reset') && (
        <Text size="sm" c="dimmed">
          {t(action === 'invite' ? 'team.linkTwo' : 'team.resetTwo')}
        </Text>
      )}
    </ActionDialog>
  );
}

/** The address to hand over, and what it still waits for. */
function MadeLink({ of: { name, link, waits }, onClose }: { of: Made; onClose: () => void }) {
  const { t } = useText();
  const mayRead = may(useMe(), 'approval.read');
  return (
    <Alert
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t('btn.close')}
      title={`${name} · ${t('team.linkOnce')}`}
    >
      <Stack gap="xs" align="flex-start">
        {waits && <Text size="sm">{t('team.linkTwo')}</Text>}
        <Code block style={{ alignSelf: 'stretch' }}>
          {link}
        </Code>
        {waits && mayRead && (
          <Button component={Link} href="/approvals?state=PENDING&whose=mine" variant="default">
            {t('team.toApprovals')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function useColumns(
  roles: readonly Role[],
  onAction: (action: DialogState['action'], row: Row) => void,
): Column<Row>[] {
  const { t } = useText();
  const me = useMe();
  const titles = { ...useTitles(), limits: t('limits.title') };
  const roleName = useRoleName(roles);
  const canManage = may(me, 'operator.manage');
  return [
    { id: 'name', head: t('signIn.name'), cell: (row) => <Text size="sm">{row.name}</Text> },
    {
      id: 'role',
      head: t('team.role'),
      cell: (row) => (
        <>
          <Text size="sm">{roleName(row.role)}</Text>
          <LimitLines of={row.limits} />
        </>
      ),
    },
    { id: 'state', head: t('col.state'), cell: (row) => <State of={row.status} /> },
    { id: 'sessions', head: t('member.sessions'), isRight: true, cell: (row) => row.sessions },
    { id: 'seen', head: t('team.lastSeen'), cell: (row) => <When at={row.lastSeenAt} /> },
    {
      id: 'actions',
      head: '',
      cell: (row) =>
        canManage &&
        row.name !== me.name && (
          <Menu>
            <Menu.Target>
              <Button variant="subtle" size="compact-sm" aria-label={t('team.more', { name: row.name })}>
                <Icon of={Ellipsis} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(
                [
                  'role',
                  'limits',
                  'reset',
                  'sessions',
                  'keys',
                  row.status === 'SUSPENDED' ? 'ACTIVE' : 'SUSPENDED',
                ] as const
              ).map((action) => (
                <Menu.Item key={action} onClick={() => onAction(action, row)}>
                  {titles[action]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ),
    },
  ];
}

/** Operators, their roles, and what each role may do. */
export function TeamPage() {
  const { t } = useText();
  const me = useMe();
  // A link cannot be shown again: each stays until it is closed.
  const [links, setLinks] = useState<readonly Made[]>([]);
  const list = useQuery({ queryKey: ['team'], queryFn: () => api('GET /api/operator/operators') });
  const roles = useQuery({ queryKey: ['team', 'roles'], queryFn: () => api('GET /api/operator/roles') });
  const canManage = may(me, 'operator.manage');
  const { dialog, setDialog, openAdd, close } = usePageDialog<DialogState>(canManage, {
    action: 'invite',
    row: null,
  });
  const rows = still(list.data?.operators.map((row) => ({ ...row, id: row.name })));
  const known = roles.data?.roles ?? [];
  const columns = useColumns(known, (action, row) => setDialog({ action, row }));
  return (
    <Page
      title={t('nav.team')}
      actions={
        canManage && (
          <Button leftSection={<Icon of={UserPlus} />} onClick={openAdd}>
            {t('team.invite')}
          </Button>
        )
      }
    >
      {links.map((made) => (
        <MadeLink
          key={made.link}
          of={made}
          onClose={() => setLinks((shown) => shown.filter((one) => one !== made))}
        />
      ))}
      <DataTable
        name={t('nav.team')}
        columns={columns}
        rows={rows}
        total={list.data?.operators.length}
        list={list}
      />
      <Roles />
      {dialog?.action === 'limits' && dialog.row && (
        <OperatorLimits
          name={dialog.row.name}
          limits={dialog.row.limits}
          currencies={roles.data?.currencies ?? []}
          onClose={close}
        />
      )}
      {dialog && dialog.action !== 'limits' && (
        <Question
          action={dialog.action}
          row={dialog.row}
          roles={known}
          onMade={(made) => setLinks((shown) => [...shown, made])}
          onClose={close}
        />
      )}
    </Page>
  );
}
