import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Fact } from '../../components/cells.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { useGo } from '../../platform/paths.ts';
import { expectedCost, planOf, type Wheel, type WheelDraft } from './draft.ts';

const REASON = { name: 'reason', rows: 2, least: 3 } as const;

/** One group of fields. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  );
}

/** Runs one action on a wheel, reports the outcome, and reads all of them again; rethrows. */
export function useWheelAction() {
  const { t } = useText();
  const notice = useNotice();
  return async <A extends { approval?: string | null }>(
    expected: string,
    work: () => Promise<A>,
  ): Promise<A> => {
    try {
      const response = await work();
      notice.say(response.approval ? t('approval.requested') : expected);
      return response;
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: ['wheels'] });
    }
  };
}

interface ReasonDialogProps {
  title: string;
  note: string;
  yes: string;
  isDangerous?: boolean;
  onYes: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Requests the reason of an action. */
export function ReasonDialog({ title, note, yes, isDangerous, onYes, onClose }: ReasonDialogProps) {
  const { t } = useText();
  return (
    <ActionDialog
      title={title}
      yes={yes}
      isDangerous={isDangerous ?? false}
      fields={[{ ...REASON, label: t('field.reason') }]}
      onYes={async ({ reason = '' }) => {
        await onYes(reason);
      }}
      onClose={onClose}
    >
      <Text size="sm">{note}</Text>
    </ActionDialog>
  );
}

/** Keeps what was written as the next version; returns where it is then looked at. */
function useSave(draft: WheelDraft, wheel: Wheel | null, onSaved: () => void) {
  const { t } = useText();
  const perform = useWheelAction();
  const go = useGo();
  return async (reason: string) => {
    const plan = planOf(draft)!;
    await perform(t('wheel.saved'), async () => {
      if (wheel) {
        const body = { plan, after: wheel.latest, reason };
        await api('POST /api/operator/wheels/{id}/versions', { params: { id: wheel.id }, body });
        onSaved();
        return {};
      }
      const { id } = await api('POST /api/operator/wheels', {
        body: { currency: draft.currency, plan, reason },
      });
      onSaved();
      go(`/wheels/${id}`);
      return {};
    });
  };
}

function PublishButton({ wheel }: { wheel: Wheel }) {
  const { t } = useText();
  const perform = useWheelAction();
  const [isOpen, setDialog] = useState(false);
  const isShown = wheel.state === 'OPEN' && wheel.version === wheel.latest;
  const send = (reason: string) =>
    perform(t('wheel.published'), () =>
      api('POST /api/operator/wheels/{id}/publish', {
        params: { id: wheel.id },
        body: { version: wheel.latest, seen: wheel.version, reason },
      }),
    );
  return (
    <>
      <Button disabled={isShown || wheel.approval !== null} onClick={() => setDialog(true)}>
        {t('wheel.publish', { version: wheel.latest })}
      </Button>
      {isOpen && (
        <ReasonDialog
          title={t('wheel.publish', { version: wheel.latest })}
          note={t('wheel.publishNote')}
          yes={t('withdrawals.sendToChecker')}
          onYes={send}
          onClose={() => setDialog(false)}
        />
      )}
    </>
  );
}

/** What a spin costs on average, and the intent to keep or publish what was written. */
export function PublishPart({
  draft,
  wheel,
  isChanged,
  isOutdated,
  onSaved,
}: {
  draft: WheelDraft;
  wheel: Wheel | null;
  isChanged: boolean;
  /** Whether the server has a newer version, and would refuse the changes. */
  isOutdated: boolean;
  /** Called once the server has the next version of the wheel. */
  onSaved: () => void;
}) {
  const { t } = useText();
  const [isOpen, setDialog] = useState(false);
  const save = useSave(draft, wheel, onSaved);
  const isComplete = planOf(draft) !== null;
  const cost = CURRENCY_SYMBOL[draft.currency] + amountText(expectedCost(draft.slices));
  return (
    <Part title={t('wheel.partCost')}>
      <Fact name={t('wheel.expectedCost')}>{cost}</Fact>
      {!isComplete && <Text size="sm">{t('wheel.planIncomplete')}</Text>}
      {wheel?.approval && <Text size="sm">{t('wheel.waits')}</Text>}
      <Group gap="xs">
        {(isChanged || !wheel) && (
          <Button disabled={!isComplete || isOutdated} onClick={() => setDialog(true)}>
            {t('wheel.save')}
          </Button>
        )}
        {wheel && !isChanged && <PublishButton wheel={wheel} />}
      </Group>
      {isOpen && (
        <ReasonDialog
          title={t('wheel.save')}
          note={t('wheel.saveNote')}
          yes={t('wheel.save')}
          onYes={save}
          onClose={() => setDialog(false)}
        />
      )}
    </Part>
  );
}
