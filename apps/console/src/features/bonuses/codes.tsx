import { parseFigure } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { Export } from '../../components/list-tools.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { actorText } from '../../platform/actor-text.ts';
import { api, type Reply } from '../../platform/api.ts';
import { may, useMe } from '../../platform/me.ts';
import { REASON, useBonusAction } from './publish.tsx';

type Batch = Reply<'GET /api/operator/bonuses/{code}/batches'>['batches'][number];

/** Ten thousand codes of forty letters, with what separates them. */
const PRINTED_LETTERS_MAX = 420_000;
const codesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((one) => one !== '');

/** Makes codes, or takes in those printed elsewhere. */
function MakeBatch({ code, onClose }: { code: string; onClose: () => void }) {
  const { t } = useText();
  const perform = useBonusAction();
  const send = ({ count = '', codes = '', reason = '' }: Record<string, string>) => {
    const printed = codesIn(codes);
    const body =
      printed.length > 0 ? { codes: printed, reason } : { count: parseFigure(count, 0) ?? 0, reason };
    return perform(() => api('POST /api/operator/bonuses/{code}/batches', { params: { code }, body }));
  };
  return (
    <ActionDialog
      title={t('codes.make')}
      yes={t('withdrawals.sendToChecker')}
      fields={[
        { name: 'count', label: t('codes.count'), value: '100', figure: { decimals: 0 } },
        {
          name: 'codes',
          label: t('codes.printed'),
          rows: 2,
          most: PRINTED_LETTERS_MAX,
          note: (text) =>
            text.trim() === '' ? undefined : t('codes.pasted', { count: codesIn(text).length }),
        },
        { ...REASON, label: t('field.reason') },
      ]}
      onYes={send}
      onClose={onClose}
    />
  );
}

function Revoke({ of: batch, onClose }: { of: Batch; onClose: () => void }) {
  const { t } = useText();
  const perform = useBonusAction();
  const send = ({ reason = '' }: Record<string, string>) =>
    perform(async () => {
      await api('POST /api/operator/batches/{id}/revoke', { params: { id: batch.id }, body: { reason } });
      return { approval: null };
    });
  return (
    <ActionDialog
      title={t('codes.revoke')}
      yes={t('codes.revoke')}
      isDangerous
      fields={[{ ...REASON, label: t('field.reason') }]}
      onYes={send}
      onClose={onClose}
    >
      <Text size="sm">{t('codes.revokeNote', { open: batch.codes - batch.used })}</Text>
    </ActionDialog>
  );
}

function BatchRow({ of: batch, onRevoke }: { of: Batch; onRevoke: () => void }) {
  const { t } = useText();
  const canManage = may(useMe(), 'promotion.manage');
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={2}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {t('codes.used', { used: batch.used, codes: batch.codes })}
            </Text>
            {batch.revokedAt && <Tag tone="bad">{t('codes.revoked')}</Tag>}
          </Group>
          <Text size="xs" c="dimmed">
            {[dateTimeText(batch.madeAt), actorText(t, batch.madeBy), batch.reason, batch.id]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Stack>
        {canManage && (
          <Group gap="xs" wrap="nowrap">
            <Export pageName="codes" query={{ batch: batch.id }} />
            {!batch.revokedAt && (
              <Button variant="default" onClick={onRevoke}>
                {t('codes.revoke')}
              </Button>
            )}
          </Group>
        )}
      </Group>
    </Paper>
  );
}

/** Batches of codes for one person each: made by two, taken away as a file, revoked at once. */
export function Codes({ code }: { code: string }) {
  const { t } = useText();
  const canManage = may(useMe(), 'promotion.manage');
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Batch | null>(null);
  const list = useQuery({
    queryKey: ['bonuses', code, 'batches'],
    queryFn: () => api('GET /api/operator/bonuses/{code}/batches', { params: { code } }),
  });
  if (!list.data) return <ReadError of={list} />;
  const { batches, approval } = list.data;
  return (
    <Stack gap="xs">
      <ReadError of={list} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('codes.about')}
        </Text>
        {approval && <Tag tone="warn">{t('state.APPROVAL')}</Tag>}
        {canManage && !approval && (
          <Button leftSection={<Icon of={Plus} />} onClick={() => setMaking(true)}>
            {t('codes.make')}
          </Button>
        )}
      </Group>
      {batches.length === 0 && <Text c="dimmed">{t('codes.none')}</Text>}
      {batches.map((batch) => (
        <BatchRow key={batch.id} of={batch} onRevoke={() => setRevoking(batch)} />
      ))}
      {isMaking && <MakeBatch code={code} onClose={() => setMaking(false)} />}
      {revoking && <Revoke of={revoking} onClose={() => setRevoking(null)} />}
    </Stack>
  );
}
