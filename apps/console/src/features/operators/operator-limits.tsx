import type { Currency } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { api } from '../../platform/api.ts';
import { useSingleCall } from '../../platform/single-call.ts';
import { draftOf, isLimitDraft, type Limit, LimitFields, limitsOf } from './limit-fields.tsx';
import { useRequest } from './use-request.ts';

const REASON_LEAST = 3;

interface OperatorLimitsProps {
  name: string;
  limits: readonly Limit[];
  currencies: readonly Currency[];
  onClose: () => void;
}

/** Requests limits of one operator, beside those of their role; a second person decides. */
export function OperatorLimits({ name, limits, currencies, onClose }: OperatorLimitsProps) {
  const { t } = useText();
  const request = useRequest();
  const { isBusy, run } = useSingleCall();
  const [draft, setDraft] = useState(() => draftOf(limits));
  const [reason, setReason] = useState('');
  const isComplete = isLimitDraft(draft) && reason.trim().length >= REASON_LEAST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    const body = { limits: limitsOf(draft), reason };
    run(() =>
      request(() => api('PUT /api/operator/operators/{name}/limits', { params: { name }, body })).then(
        onClose,
      ),
    );
  };
  return (
    <Dialog onClose={onClose} size="lg" title={`${t('limits.title')} · ${name}`} isLocked={isBusy}>
      <form onSubmit={submit}>
        <Stack>
          <LimitFields of={draft} currencies={currencies} onChange={setDraft} />
          <Text size="sm" c="dimmed">
            {t('limits.both')}
          </Text>
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
