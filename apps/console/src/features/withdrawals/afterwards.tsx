import { Money } from '@krapao/ui/components/money.tsx';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Fact } from '../../components/cells.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries, type Reply } from '../../platform/api.ts';
import { bankName } from '../../platform/bank-name.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { Link } from '../../platform/paths.ts';

type Detail = Reply<'GET /api/operator/withdrawals/{id}'>;
type ActionReply = Reply<'POST /api/operator/withdrawals/{id}/return'>;

/** Runs an action and reports its outcome; a refusal is shown and rethrown. */
function useAction() {
  const { t } = useText();
  const notice = useNotice();
  return async (action: Promise<ActionReply>, done: string) => {
    try {
      notice.say((await action).approval ? t('approval.requested') : done);
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      for (const key of ['withdrawals', 'withdrawal', 'today'])
        void queries.invalidateQueries({ queryKey: [key] });
    }
  };
}

function About({
  row,
  account = row.account,
  children,
}: {
  row: Detail;
  account?: Detail['account'];
  children: ReactNode;
}) {
  const { language } = useText();
  return (
    <Stack gap={2}>
      <Money amount={row.amount} currency={row.currency} size={26} />
      <Text size="sm">{`${row.member.name} · ${bankName(account, language)} ${account.accountNo}`}</Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}

const NO_TRANSACTION = '';

function ReturnQuestion({ row, onClose }: { row: Detail; onClose: () => void }) {
  const { t } = useText();
  const perform = useAction();
  const transactions = row.returnCandidates.map((transaction) => ({
    value: transaction.id,
    label: `${labelOf(t, 'type', transaction.bankCode)} ${transaction.bankReference} · ${dateTimeText(transaction.paidAt)}`,
  }));
  const options = [...transactions, { value: NO_TRANSACTION, label: t('withdrawals.noTransaction') }];
  const send = ({ proof = '', reason = '', transaction = NO_TRANSACTION }: Record<string, string>) =>
    perform(
      api('POST /api/operator/withdrawals/{id}/return', {
        params: { id: row.id },
        body: {
          proof: proof.trim(),
          reason: reason.trim(),
          ...(transaction === NO_TRANSACTION ? {} : { transaction }),
        },
      }),
      t('withdrawals.returned'),
    );
  return (
    <ActionDialog
      title={t('withdrawals.return')}
      yes={t('withdrawals.sendToChecker')}
      fields={[
        { name: 'proof', label: t('field.proof'), least: 3 },
        ...(transactions.length > 0
          ? [
              {
                name: 'transaction',
                label: t('withdrawals.transaction'),
                options,
                value: transactions[0]!.value,
              },
            ]
          : []),
        { name: 'reason', label: t('field.reason'), rows: 2, least: 3 },
      ]}
      onYes={send}
      onClose={onClose}
    >
      <About row={row}>{t('withdrawals.returnNote')}</About>
    </ActionDialog>
  );
}

function ResendQuestion({ row, onClose }: { row: Detail; onClose: () => void }) {
  const { t } = useText();
  const perform = useAction();
  const send = () =>
    perform(
      api('POST /api/operator/withdrawals/{id}/retry', {
        params: { id: row.id },
        body: { status: row.status },
      }),
      t('withdrawals.resent'),
    );
  return (
    <ActionDialog
      title={t('withdrawals.resend')}
      yes={row.needsChecker ? t('withdrawals.sendToChecker') : t('withdrawals.resend')}
      onYes={send}
      onClose={onClose}
    >
      <About row={row} account={row.resendTo ?? row.account}>
        {t('withdrawals.resendNote')}
      </About>
    </ActionDialog>
  );
}

/** The actions after the end: book returned money, or retry a refused payout. */
export function AfterwardsActions({ row }: { row: Detail }) {
  const { t } = useText();
  const me = useMe();
  const [isOpen, setDialog] = useState(false);
  const close = () => setDialog(false);
  const canReturn = row.status === 'SUCCESS' && !row.returnedAt && may(me, 'withdrawal.pay');
  const canResend = row.status === 'FAILED' && row.payout?.state === 'REJECTED' && !row.retriedBy;
  if (!canReturn && !canResend) return null;
  return (
    <>
      <Button variant="default" onClick={() => setDialog(true)}>
        {canReturn ? t('withdrawals.return') : t('withdrawals.resend')}
      </Button>
      {isOpen && canReturn && <ReturnQuestion row={row} onClose={close} />}
      {isOpen && canResend && <ResendQuestion row={row} onClose={close} />}
    </>
  );
}

/** Its later events, and its origin. */
export function AfterwardsFacts({ row }: { row: Detail }) {
  const { t } = useText();
  const link = (id: string) => (
    <Anchor component={Link} href={`/withdrawals?status=ALL&open=${id}`} size="sm">
      {id}
    </Anchor>
  );
  return (
    <>
      {row.returnedAt && <Fact name={t('withdrawals.returnedAt')}>{dateTimeText(row.returnedAt)}</Fact>}
      {row.retryOf && <Fact name={t('withdrawals.retryOf')}>{link(row.retryOf)}</Fact>}
      {row.retriedBy && <Fact name={t('withdrawals.retriedBy')}>{link(row.retriedBy)}</Fact>}
    </>
  );
}
