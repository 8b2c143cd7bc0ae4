import { Money } from '@krapao/ui/components/money.tsx';
import { amountText, CURRENCY_SYMBOL, signOf } from '@krapao/ui/text/amount-text.ts';
import { countdownText, dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Anchor, Button, CopyButton, Group, Kbd, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Copy, X } from 'lucide';
import type { ReactNode } from 'react';
import { BankMark, Check, Fact, History, Person, State, Tag, useNow } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { errorText, labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';
import { AfterwardsActions, AfterwardsFacts } from './afterwards.tsx';
import type { Decision } from './decision.tsx';

const NAME_CHECK = {
  true: 'withdrawals.nameFits',
  false: 'withdrawals.nameDiffers',
  null: 'withdrawals.nameOtherScript',
} as const;

type Detail = Reply<'GET /api/operator/withdrawals/{id}'>;

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

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
      {detail.error && <Text role="alert">{errorText(t, detail.error)}</Text>}
      {detail.data && <Content row={detail.data} decision={decision} />}
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

/** Whose it is and where it goes. */
function Payee({ of: row }: { of: Detail }) {
  const { t, language } = useText();
  return (
    <>
      <Group wrap="nowrap">
        <Person name={row.member.name} />
        <Stack gap={0}>
          <Anchor component={Link} href={`/members/${row.member.id}`} fw={600}>
            {row.member.name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {`${row.member.id} · ${t('withdrawals.paidBefore', { count: row.paidBefore })}`}
          </Text>
        </Stack>
      </Group>
      <Paper withBorder p="sm">
        <Group wrap="nowrap">
          <BankMark code={row.account.bankCode} color={row.account.bankColor} />
          <Stack gap={0} style={{ flex: 1 }}>
            <Text size="sm" fw={600}>
              {bankName(row.account, language)} {row.account.accountNo}
            </Text>
            <Text size="xs" c="dimmed">
              {row.account.accountName}
            </Text>
          </Stack>
          <CopyButton value={row.account.accountName}>
            {({ copy, copied }) => (
              <ActionIcon
                variant="subtle"
                aria-label={copied ? t('btn.copied') : t('btn.copy')}
                onClick={copy}
              >
                <Icon of={Copy} />
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
      </Paper>
    </>
  );
}

function Content({ row, decision }: { row: Detail; decision: Decision }) {
  const { t } = useText();
  const money = (amount: number) => <Money amount={amount} currency={row.currency} />;
  return (
    <>
      <Stack gap={2}>
        <Money amount={row.amount} currency={row.currency} size={32} />
        <Group gap="xs">
          <State of={row.status} />
          <Text size="sm" c="dimmed">
            {dateTimeText(row.createdAt)}
          </Text>
        </Group>
      </Stack>
      <Payee of={row} />
      <Part title={t('withdrawals.source')}>
        <Fact name={t('withdrawals.deposited')}>{money(row.depositedSince)}</Fact>
        <Fact name={t('withdrawals.gameResult')}>
          <Money amount={row.gameResultSince} currency={row.currency} sign={signOf(row.gameResultSince)} />
        </Fact>
        <Fact name={t('withdrawals.balanceAfter')}>{money(row.balanceAfter)}</Fact>
      </Part>
      <Part title={t('withdrawals.checks')}>
        <Check isRight={row.nameMatches === true}>{t(NAME_CHECK[`${row.nameMatches}`])}</Check>
        {row.unplayed !== null && (
          <Check isRight={false}>
            {row.unplayed === 0
              ? t('withdrawals.unplayedUnknown')
              : t('withdrawals.unplayed', {
                  amount: CURRENCY_SYMBOL[row.currency] + amountText(row.unplayed),
                })}
          </Check>
        )}
        {row.heldUntil && (
          <Check isRight={false}>{t('withdrawals.held', { until: dateTimeText(row.heldUntil) })}</Check>
        )}
        {row.needsChecker && <Check isRight={false}>{t('withdrawals.needsTwo')}</Check>}
        {row.payout && (
          <Check isRight={row.payout.state === 'PAID'}>
            {t('withdrawals.payout', {
              state: labelOf(t, 'state', row.payout.state),
              count: row.payout.asked,
            })}
          </Check>
        )}
        {row.reason && <Fact name={t('field.reason')}>{labelOf(t, 'bankReason', row.reason)}</Fact>}
        {row.proof && <Fact name={t('field.proof')}>{row.proof}</Fact>}
        <AfterwardsFacts row={row} />
      </Part>
      <Part title={t('withdrawals.history')}>
        <History of={row.history} />
      </Part>
      <Actions row={row} decision={decision} />
    </>
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
  const isWaiting = row.status === 'REVIEW';
  const isUnknown = row.status === 'PROCESSING';
  return (
    <Stack gap="xs">
      {isWaiting && (
        <Button size="md" rightSection={<Kbd>{'a'}</Kbd>} onClick={() => decision.openDialog(row, 'approve')}>
          {row.needsChecker ? t('withdrawals.sendToChecker') : t('withdrawals.approve')}
        </Button>
      )}
      <Group grow>
        {(isWaiting || row.status === 'QUEUED') && (
          <Button
            className="danger"
            rightSection={<Kbd>{'r'}</Kbd>}
            onClick={() => decision.openDialog(row, 'reject')}
          >
            {t('withdrawals.reject')}
          </Button>
        )}
        {may(me, 'withdrawal.pay') && row.status !== 'SUCCESS' && row.status !== 'FAILED' && (
          <Button variant="default" onClick={() => decision.openDialog(row, 'paid')}>
            {t('withdrawals.paid')}
          </Button>
        )}
        {isUnknown && (
          <Button variant="default" onClick={() => decision.retry(row)}>
            {t('withdrawals.askBank')}
          </Button>
        )}
      </Group>
      <AfterwardsActions row={row} />
      {row.assignment?.mine ? (
        <Button variant="subtle" size="compact-sm" onClick={() => decision.release(row)}>
          {t('assignment.release')}
        </Button>
      ) : (
        isWaiting &&
        !row.assignment && (
          <Button
            variant="subtle"
            size="compact-sm"
            rightSection={<Kbd>{'c'}</Kbd>}
            onClick={() => decision.take(row)}
          >
            {t('assignment.take')}
          </Button>
        )
      )}
    </Stack>
  );
}
