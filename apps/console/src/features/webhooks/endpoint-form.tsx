import type { WebhookEventType } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, MultiSelect, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import type { Endpoint } from './types.ts';

const ANY_CURRENCY = 'ANY';
const REASON_LEAST = 3;

interface Draft {
  url: string;
  description: string;
  events: string[];
  currency: string;
  reason: string;
}

const draftOf = (endpoint: Endpoint | null, all: readonly string[]): Draft => ({
  url: endpoint?.url ?? 'https://',
  description: endpoint?.description ?? '',
  events: endpoint?.events ?? [...all],
  currency: endpoint?.currency ?? ANY_CURRENCY,
  reason: '',
});

function Fields({
  draft,
  all,
  set,
}: {
  draft: Draft;
  all: readonly WebhookEventType[];
  set: (change: Partial<Draft>) => void;
}) {
  const { t } = useText();
  return (
    <>
      <TextInput
        label={t('webhook.url')}
        type="url"
        required
        maxLength={500}
        value={draft.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
        {...FOCUSED}
      />
      <TextInput
        label={t('webhook.description')}
        required
        maxLength={120}
        value={draft.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <MultiSelect
        label={t('webhook.events')}
        data={all.map((value) => ({ value, label: t(`webhookEvent.${value}`) }))}
        value={draft.events}
        onChange={(events) => set({ events })}
        withAsterisk
        searchable
        clearable
      />
      <Select
        label={t('webhook.currency')}
        data={[
          { value: ANY_CURRENCY, label: t('webhook.anyCurrency') },
          { value: 'BAHT', label: t('channel.BAHT') },
          { value: 'LAK', label: t('channel.LAK') },
        ]}
        value={draft.currency}
        onChange={(currency) => set({ currency: currency ?? ANY_CURRENCY })}
        allowDeselect={false}
      />
      <Textarea
        label={t('field.reason')}
        required
        minLength={REASON_LEAST}
        maxLength={500}
        value={draft.reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
      />
    </>
  );
}

/** What the server has of an endpoint, as it compares it with its own. */
const seenOf = ({ url, description, events, currency }: Endpoint) => ({ url, description, events, currency });

interface FormProps {
  /** The endpoint to change; null: a new one. */
  endpoint: Endpoint | null;
  all: readonly WebhookEventType[];
  /** Takes the secret of a new endpoint. */
  onMade: (made: { id: string; secret: string }) => void;
  onClose: () => void;
}

/** Adds an endpoint or changes one; a refusal keeps the form open. */
export function EndpointForm({ endpoint, all, onMade, onClose }: FormProps) {
  const { t } = useText();
  const notice = useNotice();
  const [draft, setDraft] = useState(() => draftOf(endpoint, all));
  // As the form began: the list is read again while it is open.
  const [seen] = useState(endpoint && seenOf(endpoint));
  const [isBusy, setBusy] = useState(false);
  const isComplete =
    draft.description.trim() !== '' && draft.events.length > 0 && draft.reason.trim().length >= REASON_LEAST;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = {
      ...draft,
      url: draft.url.trim(),
      events: draft.events as WebhookEventType[],
      currency: draft.currency === ANY_CURRENCY ? null : (draft.currency as Currency),
    };
    setBusy(true);
    try {
      if (endpoint && seen)
        await api('PUT /api/operator/webhooks/{id}', {
          params: { id: endpoint.id },
          body: { ...body, seen },
        });
      else onMade(await api('POST /api/operator/webhooks', { body }));
      notice.say(t('webhook.done'));
      onClose();
    } catch (error) {
      notice.complain(error);
      setBusy(false);
    }
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={endpoint ? t('webhook.edit') : t('webhook.add')}
      isLocked={isBusy}
    >
      <form onSubmit={submit}>
        <Stack>
          <Fields
            draft={draft}
            all={all}
            set={(change) => setDraft((before) => ({ ...before, ...change }))}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {t('btn.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isComplete}>
              {t('webhook.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
