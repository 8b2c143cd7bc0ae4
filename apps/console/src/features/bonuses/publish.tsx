import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, queries } from '../../platform/api.ts';
import { useGo } from '../../platform/paths.ts';
import type { Terms } from './draft.ts';
import { Part } from './term-fields.tsx';

export const REASON = { name: 'reason', rows: 2, least: 3 } as const;

/** Runs one action on a bonus, reports the outcome, and reads all of them again; rethrows. */
export function useBonusAction() {
  const { t } = useText();
  const notice = useNotice();
  return async (work: () => Promise<{ approval: string | null }>): Promise<void> => {
    try {
      const { approval } = await work();
      notice.say(approval ? t('approval.requested') : t('bonus.saved'));
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['bonuses'] });
    }
  };
}

/** What the terms would have cost on the deposits of the last month. */
function Estimate({ terms }: { terms: Terms }) {
  const { t } = useText();
  const { award, deposit, currency, countBy, maxReceived, quota } = terms;
  const estimate = useQuery({
    queryKey: ['bonuses', 'estimate', { award, deposit, currency, countBy, maxReceived, quota }],
    queryFn: () => api('POST /api/operator/bonus-estimate', { body: { terms } }),
    staleTime: 60_000,
  });
  if (!estimate.data) return <ReadError of={estimate} />;
  const { days, receipts, members, granted, most } = estimate.data;
  const money = (amount: number) => CURRENCY_SYMBOL[currency] + amountText(amount);
  return (
    <Stack gap={2}>
      <Text size="sm">{t('bonus.estimate', { days, receipts, members, granted: money(granted) })}</Text>
      {most !== null && <Text size="sm">{t('bonus.estimateMost', { most: money(most) })}</Text>}
    </Stack>
  );
}

interface PublishProps {
  /** null while something is missing. */
  terms: Terms | null;
  /** The version on offer; 0: none yet. */
  version: number;
  /** Whether there are changes that the server would take. */
  canSend: boolean;
  /** Called once the server has the terms. */
  onSent: () => void;
}

/** What it would cost, and the intent to publish it. */
export function PublishPart({ terms, version, canSend, onSent }: PublishProps) {
  const { t } = useText();
  const go = useGo();
  const perform = useBonusAction();
  const [isOpen, setDialog] = useState(false);
  const send = async ({ reason = '' }: Record<string, string>) => {
    if (!terms) return;
    await perform(async () => {
      const reply = await api('POST /api/operator/bonuses', { body: { terms, version, reason } });
      onSent();
      return reply;
    });
    if (version === 0) go('/bonuses');
  };
  return (
    <Part title={t('bonus.partCost')}>
      {terms ? <Estimate terms={terms} /> : <Text size="sm">{t('bonus.incomplete')}</Text>}
      <Group>
        <Button disabled={!terms || !canSend} onClick={() => setDialog(true)}>
          {terms?.isOpen === false ? t('bonus.saveStopped') : t('bonus.publish')}
        </Button>
      </Group>
      {isOpen && terms && (
        <ActionDialog
          title={t('bonus.publish')}
          yes={terms.isOpen ? t('withdrawals.sendToChecker') : t('bonus.saveStopped')}
          fields={[{ ...REASON, label: t('field.reason') }]}
          onYes={send}
          onClose={() => setDialog(false)}
        >
          <Text size="sm">{t(version === 0 ? 'bonus.publishNew' : 'bonus.publishNext')}</Text>
        </ActionDialog>
      )}
    </Part>
  );
}
