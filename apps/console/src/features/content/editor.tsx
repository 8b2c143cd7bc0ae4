import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@krapao/contract/shared';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  Button,
  Fieldset,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { History } from 'lucide';
import { useRef, useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Tag } from '../../components/cells.tsx';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { type SingleCall, useSingleCall } from '../../platform/single-call.ts';
import { useUnsaved } from '../../platform/unsaved.ts';
import { LanguageFields } from './fields.tsx';
import { Phone } from './phone.tsx';
import { Revisions } from './revisions.tsx';
import { type Content, emptyLanguages, type Pictures, type Texts, writerText } from './types.ts';

const readAgain = () => queries.invalidateQueries({ queryKey: ['content'] });

/** Who has published what is shown, and whether something is drafted. */
function Standing({ of: row }: { of: Content }) {
  const { t } = useText();
  return (
    <Group gap="xs">
      <Tag tone={row.draft ? 'warn' : 'ok'}>{row.draft ? t('content.drafted') : t('content.shown')}</Tag>
      <Text size="sm" c="dimmed">
        {t('content.revision', { revision: row.revision })}
        {row.publishedAt && ` · ${dateTimeText(row.publishedAt)}`}
        {row.publishedBy && ` · ${writerText(t, row.publishedBy)}`}
      </Text>
    </Group>
  );
}

/** Whether members would accept agreements of which a language is empty. */
const isBarred = (row: Content, words: Texts): boolean =>
  row.key === 'agreements' && emptyLanguages(words).length > 0;

/** Which languages are empty, and what their readers get; agreements are not published so. */
function EmptyLanguages({ of: row, words }: { of: Content; words: Texts }) {
  const { t } = useText();
  const empty = emptyLanguages(words);
  const barred = isBarred(row, words);
  if (empty.length === 0 || (empty.length === LANGUAGES.length && !barred)) return null;
  const languages = empty.map((language) => LANGUAGE_NAMES[language]).join(', ');
  return (
    <Text size="sm" c={barred ? 'red' : undefined}>
      {t(barred ? 'content.emptyBarred' : 'content.emptyLanguages', { languages })}
    </Text>
  );
}

/**
 * Saves, publishes and throws away; each ends with the list read again.
 * @param onDone called once the server has the texts, or has discarded them
 */
function useActions(row: Content, onDone: () => void) {
  const { t } = useText();
  const notice = useNotice();
  const params = { key: row.key };
  const run = async (work: () => Promise<string>) => {
    try {
      notice.say(await work());
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await readAgain();
    }
  };
  return {
    save: (words: Texts) =>
      run(async () => {
        const body = { words, after: row.draft?.id ?? null };
        await api('PUT /api/operator/content/{key}/draft', { params, body });
        onDone();
        return t('content.saved');
      }),
    publish: (reason: string) =>
      run(async () => {
        const body = { draft: row.draft!.id, reason };
        await api('POST /api/operator/content/{key}/publish', { params, body });
        return t('content.published');
      }),
    discard: () =>
      run(async () => {
        await api('POST /api/operator/content/{key}/discard', { params, body: { draft: row.draft!.id } });
        onDone();
        return t('content.discarded');
      }),
  };
}

interface ButtonsProps {
  row: Content;
  words: Texts;
  isChanged: boolean;
  isOutdated: boolean;
  saving: SingleCall;
  onDone: () => void;
}

function Buttons({ row, words, isChanged, isOutdated, saving, onDone }: ButtonsProps) {
  const { t } = useText();
  const actions = useActions(row, onDone);
  const [dialog, setDialog] = useState<'publish' | 'discard' | 'history' | null>(null);
  const close = () => setDialog(null);
  const canManage = may(useMe(), 'content.manage');
  return (
    <Group gap="xs">
      {canManage && (
        <>
          <Button
            variant={isChanged ? 'filled' : 'default'}
            disabled={!isChanged || isOutdated}
            loading={saving.isBusy}
            onClick={() => saving.run(() => actions.save(words))}
          >
            {t('content.save')}
          </Button>
          <Button
            disabled={!row.draft || isChanged || isBarred(row, words)}
            onClick={() => setDialog('publish')}
          >
            {t('content.publish')}
          </Button>
          {row.draft && (
            <Button variant="default" onClick={() => setDialog('discard')}>
              {t('content.discard')}
            </Button>
          )}
        </>
      )}
      <Button variant="default" leftSection={<Icon of={History} />} onClick={() => setDialog('history')}>
        {t('content.history')}
      </Button>
      {dialog === 'publish' && (
        <ActionDialog
          title={`${t('content.publish')} · ${labelOf(t, 'content', row.key)}`}
          yes={t('content.publish')}
          fields={[{ name: 'reason', label: t('field.reason'), rows: 2, least: 3 }]}
          onYes={({ reason = '' }) => actions.publish(reason)}
          onClose={close}
        >
          <Text size="sm">{t(row.key === 'agreements' ? 'content.acceptAgain' : 'content.atOnce')}</Text>
          <EmptyLanguages of={row} words={words} />
        </ActionDialog>
      )}
      {dialog === 'discard' && (
        <ActionDialog
          title={t('content.discard')}
          yes={t('content.discard')}
          isDangerous
          onYes={actions.discard}
          onClose={close}
        >
          <Text size="sm">{t('content.discardNote')}</Text>
        </ActionDialog>
      )}
      {dialog === 'history' && <Revisions of={row} onClose={close} />}
    </Group>
  );
}

interface EditorProps {
  row: Content;
  pictures: Pictures;
  /** Whether the server has a newer version, and would refuse the changes. */
  isOutdated: boolean;
  /** Receives whether there are changes that were not saved. */
  onChanged: (isChanged: boolean) => void;
}

/** One key in three languages side by side, beside the phone of a member who reads one of them. */
export function Editor({ row, pictures: known, isOutdated, onChanged }: EditorProps) {
  const { t } = useText();
  const start = row.draft?.words ?? row.words;
  const [words, setTexts] = useState(start);
  // An upload ends after more was typed.
  const latest = useRef(words);
  latest.current = words;
  const saving = useSingleCall();
  const [added, setAdded] = useState<Pictures>([]);
  const [language, setLanguage] = useState<Language>('th');
  const isFixed = !may(useMe(), 'content.manage');
  const pictureOf = (id: string | null | undefined) =>
    [...known, ...added].find((picture) => picture.id === id)?.address ?? null;
  const title = labelOf(t, 'content', row.key);
  const isChanged = (texts: Texts) => JSON.stringify(texts) !== JSON.stringify(start);
  const reportUnsaved = useUnsaved();
  const reportChanged = (is: boolean) => {
    reportUnsaved(is);
    onChanged(is);
  };
  const change = (texts: Texts) => {
    setTexts(texts);
    reportChanged(isChanged(texts));
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Standing of={row} />
        <Buttons
          row={row}
          words={words}
          isChanged={isChanged(words)}
          isOutdated={isOutdated}
          saving={saving}
          onDone={() => reportChanged(false)}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {labelOf(t, 'contentAbout', row.key)}
      </Text>
      <EmptyLanguages of={row} words={words} />
      <Group align="flex-start" wrap="wrap" gap="lg">
        <SimpleGrid cols={{ base: 1, lg: 3 }} style={{ flex: '1 1 520px' }}>
          {LANGUAGES.map((each) => (
            <Paper key={each} withBorder p="sm" component="section" aria-label={LANGUAGE_NAMES[each]}>
              <Fieldset variant="unstyled" miw={0} disabled={saving.isBusy}>
                <Stack gap="sm">
                  <Title order={2} size="h5">
                    {LANGUAGE_NAMES[each]}
                  </Title>
                  <LanguageFields
                    of={words[each]}
                    contentKey={row.key}
                    language={each}
                    isFixed={isFixed}
                    picture={pictureOf(words[each].picture)}
                    onChange={(fields) => change({ ...words, [each]: fields })}
                    onPicture={(picture) => {
                      setAdded((before) => [...before, picture]);
                      change({ ...latest.current, [each]: { ...latest.current[each], picture: picture.id } });
                    }}
                  />
                </Stack>
              </Fieldset>
            </Paper>
          ))}
        </SimpleGrid>
        <Stack gap="xs">
          <SegmentedControl
            aria-label={t('content.preview')}
            value={language}
            onChange={(next) => setLanguage(next as Language)}
            data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
          <Phone
            of={words[language]}
            contentKey={row.key}
            language={language}
            picture={pictureOf(words[language].picture)}
            title={title}
          />
        </Stack>
      </Group>
    </Stack>
  );
}
