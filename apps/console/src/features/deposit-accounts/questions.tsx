import { normaliseAccountNo } from '@krapao/contract/account-numbers';
import { CURRENCY_DECIMALS } from '@krapao/contract/shared';
import { parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { ActionDialog, type DialogField } from '../../components/action-dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import type { Channel } from './types.ts';

const STATES = ['OPEN', 'PAUSED', 'CLOSED'] as const;
/** What kind of account: whose it is, and how a deposit to it is known. */
const KINDS = ['BANK-AUTO', 'BANK-QR', 'WALLET-AUTO', 'WW-QR', 'ZAPMAN-QR'] as const;
const CODE_OF: Record<string, string> = { WALLET: 'TRUEMONEY', WW: 'WW', ZAPMAN: 'ZAPMAN' };

function useSend() {
  const notice = useNotice();
  return async (work: () => Promise<string>) => {
    try {
      notice.say(await work());
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['channels'] });
    }
  };
}

const useReason = (): DialogField => {
  const { t } = useText();
  return { name: 'reason', label: t('field.reason'), rows: 2, least: 3 };
};

/** Opens, pauses or closes an account, and sets its daily ceiling. */
export function ChangeChannel({ row, onClose }: { row: Channel; onClose: () => void }) {
  const { t } = useText();
  const send = useSend();
  const reason = useReason();
  const fields: DialogField[] = [
    {
      name: 'state',
      label: t('col.state'),
      value: row.state,
      options: STATES.map((value) => ({ value, label: t(`channel.state-${value}`) })),
    },
    {
      name: 'ceiling',
      label: t('channel.ceilingField'),
      value: row.ceiling === null ? '' : String(row.ceiling),
      figure: { decimals: CURRENCY_DECIMALS[row.currency], currency: row.currency },
    },
    reason,
  ];
  const onYes = ({ state = '', ceiling = '', reason: why = '' }: Record<string, string>) =>
    send(async () => {
      const body = {
        state: state as Channel['state'],
        ceiling: parseAmount(ceiling, row.currency),
        version: row.version,
        reason: why,
      };
      await api('PUT /api/operator/deposit-accounts/{id}', { params: { id: row.id }, body });
      return t('channel.saved');
    });
  return (
    <ActionDialog
      title={`${labelOf(t, 'type', row.bankCode)} ${row.accountNo}`}
      yes={t('channel.save')}
      fields={fields}
      onYes={onYes}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('channel.pauseNote')}
      </Text>
    </ActionDialog>
  );
}

/** Requests a new account, or another number in place of one; a second person decides. */
export function AddChannel({ replaces, onClose }: { replaces: Channel | null; onClose: () => void }) {
  const { t } = useText();
  const send = useSend();
  const reason = useReason();
  const kinds: DialogField[] = [
    {
      name: 'kind',
      label: t('channel.mode'),
      value: 'BANK-AUTO',
      options: KINDS.map((value) => ({ value, label: t(`channelMode.${value}`) })),
    },
    { name: 'bankCode', label: t('channel.bankCode') },
    {
      name: 'currency',
      label: t('channel.currency'),
      value: 'BAHT',
      options: [
        { value: 'BAHT', label: t('channel.BAHT') },
        { value: 'LAK', label: t('channel.LAK') },
      ],
    },
  ];
  const fields: DialogField[] = [
    ...(replaces ? [] : kinds),
    { name: 'accountNo', label: t('channel.number'), least: replaces ? 6 : 0 },
    { name: 'accountName', label: t('channel.name'), least: 1, value: replaces?.accountName ?? '' },
    ...(replaces && replaces.currency !== 'LAK' ? [] : [{ name: 'staticQr', label: t('channel.staticQr') }]),
    reason,
  ];
  const onYes = (values: Record<string, string>) =>
    send(async () => {
      const { kind = '', bankCode = '', accountNo = '', accountName = '', staticQr = '' } = values;
      const [type, mode] = replaces ? [replaces.bankType, replaces.mode] : kind.split('-');
      const body = {
        bankCode: replaces?.bankCode ?? CODE_OF[type!] ?? bankCode.trim().toUpperCase(),
        bankType: type as Channel['bankType'],
        mode: mode as Channel['mode'],
        accountName: accountName.trim(),
        // What is no number is refused by the server, not shortened.
        accountNo: normaliseAccountNo(accountNo) ?? accountNo.trim(),
        currency: replaces?.currency ?? (values.currency as Channel['currency']),
        staticQr: staticQr.trim() || null,
        replaces: replaces?.id ?? null,
        reason: values.reason ?? '',
      };
      const response = await api('POST /api/operator/deposit-accounts', { body });
      return response.approval ? t('approval.requested') : t('channel.saved');
    });
  return (
    <ActionDialog
      title={
        replaces
          ? `${t('channel.replace')} · ${labelOf(t, 'type', replaces.bankCode)} ${replaces.accountNo}`
          : t('channel.add')
      }
      yes={t('withdrawals.sendToChecker')}
      fields={fields}
      onYes={onYes}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t(replaces ? 'channel.replaceNote' : 'channel.addNote')}
      </Text>
    </ActionDialog>
  );
}
