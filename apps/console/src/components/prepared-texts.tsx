import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSingleCall } from '../platform/single-call.ts';
import { useSend } from '../platform/use-send.ts';
import { Dialog } from './dialog.tsx';
import { ReadError, type Reading } from './read-error.tsx';

interface Calls<Draft> {
  save: (draft: Draft) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

/** What is written of a list of prepared texts, and the calls that save it and remove one. */
export function usePrepared<Draft>(queryKey: readonly string[], nothing: Draft, calls: Calls<Draft>) {
  const send = useSend(queryKey);
  const [draft, setDraft] = useState(nothing);
  const saving = useSingleCall();
  const removing = useSingleCall();
  const save = async () => {
    await send(() => calls.save(draft));
    // What was changed meanwhile stays.
    setDraft((now) => (now === draft ? nothing : now));
  };
  return {
    draft,
    setDraft,
    isSaving: saving.isBusy,
    isBusy: saving.isBusy || removing.isBusy,
    save: () => saving.run(save),
    remove: (id: string) => removing.run(() => send(() => calls.remove(id))),
  };
}

interface PreparedText {
  /** What operators choose it by. */
  name: string;
  text: string;
  onChange: () => void;
  onRemove: () => void;
}

function PreparedRow({
  of: { name, text, onChange, onRemove },
  canEdit,
  isBusy,
}: {
  of: PreparedText;
  canEdit: boolean;
  isBusy: boolean;
}) {
  const { t } = useText();
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {text}
          </Text>
        </Stack>
        {canEdit && (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={onChange}>
              {t('content.change')}
            </Button>
            <Button size="compact-sm" variant="subtle" disabled={isBusy} onClick={onRemove}>
              {t('chats.remove')}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}

/**
 * A dialog with texts that operators prepare, and the form that adds or changes one.
 * @param form absent for operators who may not edit
 */
export function PreparedTexts({
  title,
  note,
  empty,
  list,
  texts,
  form,
  isBusy,
  onClose,
}: {
  title: string;
  note?: string;
  empty: string;
  /** How far the reading of the texts is. */
  list: Reading & { isPending: boolean };
  texts: readonly PreparedText[] | undefined;
  form: ReactNode;
  /** Whether one is being saved or removed. */
  isBusy: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} size="lg" title={title} isLocked={isBusy}>
      <Stack>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {list.isPending && <Loader size="sm" />}
        <ReadError of={list} />
        {texts?.length === 0 && <Text c="dimmed">{empty}</Text>}
        {texts?.map((one) => (
          <PreparedRow key={one.name} of={one} canEdit={Boolean(form)} isBusy={isBusy} />
        ))}
        {/* Not before the list: it would push the form away from under the pointer. */}
        {texts && form}
      </Stack>
    </Dialog>
  );
}
