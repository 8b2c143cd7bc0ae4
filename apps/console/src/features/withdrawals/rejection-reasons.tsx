import { LANGUAGES, type Language, languageTag, localized } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { LanguageTabs } from '../../components/language-tabs.tsx';
import { PreparedTexts, usePrepared } from '../../components/prepared-texts.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { useReasons } from './rejection.tsx';

type Reason = Reply<'GET /api/operator/rejection-reasons'>['reasons'][number];
const NOTHING: Reason = { id: '', notice: localized(() => '') };

interface FormProps {
  of: Reason;
  onChange: (draft: Reason) => void;
  isBusy: boolean;
  onSave: () => void;
}

function Form({ of: draft, onChange, isBusy, onSave }: FormProps) {
  const { t, language: own } = useText();
  const [language, setLanguage] = useState<Language>(own);
  const isMissing = (one: Language) => draft.notice[one].trim() === '';
  const isGood = /^[a-z0-9-]{1,30}$/.test(draft.id) && !LANGUAGES.some(isMissing);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGood) onSave();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('withdrawals.reasonCode')}
          description={t('withdrawals.reasonCodeNote')}
          required
          maxLength={30}
          value={draft.id}
          onChange={(event) => onChange({ ...draft, id: event.currentTarget.value.toLowerCase() })}
        />
        <LanguageTabs value={language} isMissing={isMissing} onChange={setLanguage} />
        <Textarea
          label={t('withdrawals.memberReadsOwn')}
          required
          autosize
          minRows={2}
          maxLength={500}
          lang={languageTag(language)}
          value={draft.notice[language]}
          onChange={(event) =>
            onChange({ ...draft, notice: { ...draft.notice, [language]: event.currentTarget.value } })
          }
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={!isGood}>
            {t('chats.saveCanned')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The prepared reasons for rejecting a withdrawal, in the three languages. */
export function RejectionReasons({ onClose }: { onClose: () => void }) {
  const { t, language } = useText();
  const prepared = usePrepared(['rejection-reasons'], NOTHING, {
    save: ({ id, notice }) =>
      api('PUT /api/operator/rejection-reasons/{id}', { params: { id }, body: { notice } }),
    remove: (id) => api('DELETE /api/operator/rejection-reasons/{id}', { params: { id } }),
  });
  const list = useReasons();
  return (
    <PreparedTexts
      title={t('withdrawals.reasons')}
      note={t('withdrawals.reasonsNote')}
      empty={t('withdrawals.noReasons')}
      list={list}
      texts={list.data?.reasons.map((one) => ({
        name: one.id,
        text: one.notice[language],
        onChange: () => prepared.setDraft(one),
        onRemove: () => prepared.remove(one.id),
      }))}
      form={
        <Form
          of={prepared.draft}
          onChange={prepared.setDraft}
          isBusy={prepared.isSaving}
          onSave={prepared.save}
        />
      }
      isBusy={prepared.isBusy}
      onClose={onClose}
    />
  );
}
