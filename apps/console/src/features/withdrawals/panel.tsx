import { countdownText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Button, Group, Kbd, Menu, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { useState } from 'react';
import { Tag, useNow } from '../../components/cells.tsx';
import styles from '../../components/decision.module.css';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { readWithdrawalsAgain, useUndo } from '../../components/undo.ts';
import { WithdrawalFacts } from '../../components/withdrawal-facts.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { AfterwardsActions, AfterwardsFacts } from './afterwards.tsx';
import type { Decision } from './decision.tsx';

type Detail = Reply<'GET /api/operator/withdrawals/{id}'>;

/** Beside the queue: what an operator looks at before they decide, and what they can do. */
export function WithdrawalPanel({
  id,
  decision,
  onClose,
}: {
  id: string;
  decision: Decision;
  onClose: () => void;
}) {
  const { t } = useText();
  const detail = useQuery({
    queryKey: ['withdrawal', id],
    queryFn: () => api('GET /api/operator/withdrawals/{id}', { params: { id } }),
  });
  return (
    <SidePanel name={id}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {id}
        </Text>
        <Group gap={6} wrap="nowrap">
          {detail.data && <AssignmentMark of={detail.data} />}
          <ActionIcon variant="subtle" aria-label={t('btn.close')} onClick={onClose}>
            <Icon of={X} />
          </ActionIcon>
        </Group>
      </Group>
      <ReadError of={detail} />
      {detail.data && (
        <>
          <WithdrawalFacts of={detail.data}>
            <AfterwardsFacts row={detail.data} />
          </WithdrawalFacts>
          <Actions row={detail.data} decision={decision} />
        </>
      )}
    </SidePanel>
  );
}

function AssignmentMark({ of: { assignment } }: { of: Detail }) {
  const { t } = useText();
  const now = useNow();
  if (!assignment) return null;
  const left = countdownText((Date.parse(assignment.until) - now) / 1000);
  return (
    <Tag tone={assignment.mine ? 'brand' : 'warn'}>
      {assignment.mine ? t('assignment.back', { left }) : t('assignment.by', { by: assignment.by })}
    </Tag>
  );
}

function Actions({ row, decision }: { row: Detail; decision: Decision }) {
  const { t } = useText();
  const me = useMe();
  if (!may(me, 'withdrawal.decide')) return null;
  if (row.approval)
    return (
      <Button component={Link} href="/approvals?state=PENDING" variant="default">
        {t('approval.waits')}
      </Button>
    );
  if (row.decision) return <Decided row={row} />;
  const isWaiting = row.status === 'REVIEW';
  const isUnknown = row.status === 'PROCESSING';
  return (
    <Stack gap="xs" className={styles.actions}>
      <Group grow preventGrowOverflow={false} gap="xs">
        {isWaiting && (
          <Button px="xs" rightSection={<Kbd>{'a'}</Kbd>} onClick={() => decision.openDialog(row, 'approve')}>
            {row.needsChecker ? t('withdrawals.sendToChecker') : t('withdrawals.approve')}
          </Button>
        )}
        {(isWaiting || row.status === 'QUEUED') && (
          <Button
            className="danger"
            px="xs"
            rightSection={<Kbd>{'r'}</Kbd>}
            onClick={() => decision.openDialog(row, 'reject')}
          >
            {t('withdrawals.reject')}
          </Button>
        )}
        {isUnknown && (
          <Button variant="default" onClick={() => decision.retry(row)}>
            {t('withdrawals.checkBank')}
          </Button>
        )}
      </Group>
      <Group grow preventGrowOverflow={false} gap="xs">
        {may(me, 'withdrawal.pay') && row.status !== 'SUCCESS' && row.status !== 'FAILED' && (
          <Button variant="default" size="compact-md" onClick={() => decision.openDialog(row, 'paid')}>
            {t('withdrawals.paid')}
          </Button>
        )}
        <AfterwardsActions row={row} />
        {isWaiting && (row.assignment?.mine ?? true) && <AssignMenu id={row.id} />}
        <AssignmentButton of={row} decision={decision} />
      </Group>
    </Stack>
  );
}

/** A decision that is not carried out yet; who made it can undo it. */
function Decided({ row }: { row: Detail }) {
  const { t } = useText();
  const { undo } = useUndo();
  const { decision } = row;
  if (!decision) return null;
  return (
    <Stack gap="xs" className={styles.actions}>
      <Text size="sm">{t('withdrawals.decidedNote', { by: actorText(t, decision.by) })}</Text>
      {decision.mine && (
        <Button variant="default" onClick={() => undo([row.id])}>
          {t('withdrawals.undo')}
        </Button>
      )}
    </Stack>
  );
}

/** Gives the row to a colleague who may decide it. */
function AssignMenu({ id }: { id: string }) {
  const { t } = useText();
  const notice = useNotice();
  const [isOpen, setOpen] = useState(false);
  const colleagues = useQuery({
    queryKey: ['assignees'],
    queryFn: () => api('GET /api/operator/assignees'),
    enabled: isOpen,
  });
  const assign = async (operator: string, name: string) => {
    try {
      await api('POST /api/operator/withdrawals/{id}/assign', { params: { id }, body: { operator } });
      notice.say(t('assignment.given', { name }));
    } catch (error) {
      notice.complain(error);
    } finally {
      void readWithdrawalsAgain();
    }
  };
  return (
    <Menu opened={isOpen} onChange={setOpen} position="top-end">
      <Menu.Target>
        <Button variant="subtle" size="compact-md">
          {t('assignment.give')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
        {colleagues.data?.operators.length === 0 && <Menu.Label>{t('assignment.noColleague')}</Menu.Label>}
        {colleagues.data?.operators.map(({ id: operator, name }) => (
          <Menu.Item key={operator} onClick={() => assign(operator, name)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Takes the row, or gives it back. */
function AssignmentButton({ of: row, decision }: { of: Detail; decision: Decision }) {
  const { t } = useText();
  if (row.assignment?.mine)
    return (
      <Button variant="subtle" size="compact-md" onClick={() => decision.release(row)}>
        {t('assignment.release')}
      </Button>
    );
  if (row.assignment || row.status !== 'REVIEW') return null;
  return (
    <Button
      variant="subtle"
      size="compact-md"
      rightSection={<Kbd>{'c'}</Kbd>}
      onClick={() => decision.take(row)}
    >
      {t('assignment.take')}
    </Button>
  );
}
