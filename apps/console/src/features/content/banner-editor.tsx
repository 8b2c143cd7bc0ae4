import { LANGUAGE_NAMES, LANGUAGES, type Language, languageTag, localized } from '@krapao/contract/shared';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, SimpleGrid, Stack, Switch, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { PictureField } from '../../components/picture-field.tsx';
import { api } from '../../platform/api.ts';
import { fromClock, toClock } from '../../platform/clock-text.ts';
import { useSend } from '../../platform/use-send.ts';
import { type Banner, type Place, pictureAt } from './banner-types.ts';
import styles from './banners.module.css';

type Texts = Banner['words'];
type InLanguage = Texts['th'];

const REASON_LEAST = 3;
const NOTHING: InLanguage = { title: '', html: '', picture: null };

interface LanguageProps {
  of: InLanguage;
  language: Language;
  /** Shown where the language has no picture of its own. */
  thaiPicture: string | null;
  /** An upload ends after more was typed: only what has changed is passed. */
  onChange: (change: Partial<InLanguage>) => void;
}

/** One language's words beside how a member sees them. */
function LanguagePart(props: LanguageProps) {
  const { t } = useText();
  const { of, language, thaiPicture, onChange } = props;
  const picture = of.picture ?? thaiPicture;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
      <Stack gap="sm">
        <TextInput
          label={t('banner.title')}
          required
          maxLength={80}
          lang={languageTag(language)}
          value={of.title}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
        <PictureField
          picture={of.picture}
          onChange={(picture) => onChange({ picture: picture?.id ?? null })}
        />
        <Textarea
          label={t('banner.html')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={4000}
          lang={languageTag(language)}
          value={of.html}
          onChange={(event) => onChange({ html: event.currentTarget.value })}
        />
      </Stack>
      <section className={styles.card} aria-label={t('content.preview')} lang={languageTag(language)}>
        {picture && <img className={styles.picture} src={pictureAt(picture)} alt="" />}
        <Text fw={600}>{of.title || '–'}</Text>
        {of.html && <CleanHtml markup={of.html} />}
      </section>
    </SimpleGrid>
  );
}

interface Terms {
  link: string;
  isOpen: boolean;
  startsAt: string;
  endsAt: string;
  reason: string;
}

function TermFields({ of, onChange }: { of: Terms; onChange: (of: Terms) => void }) {
  const { t } = useText();
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['startsAt', 'endsAt'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            label={t(name === 'startsAt' ? 'banner.starts' : 'banner.ends')}
            description={t('banner.time')}
            value={of[name]}
            onChange={(event) => onChange({ ...of, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <TextInput
        label={t('banner.link')}
        maxLength={300}
        value={of.link}
        onChange={(event) => onChange({ ...of, link: event.currentTarget.value })}
      />
      <Switch
        label={t('banner.isOpen')}
        checked={of.isOpen}
        onChange={(event) => onChange({ ...of, isOpen: event.currentTarget.checked })}
      />
      <Textarea
        label={t('field.reason')}
        required
        autosize
        minRows={2}
        maxLength={500}
        value={of.reason}
        onChange={(event) => onChange({ ...of, reason: event.currentTarget.value })}
      />
    </>
  );
}

const termsOf = (banner: Banner | null): Terms => ({
  link: banner?.link ?? '',
  isOpen: banner?.isOpen ?? true,
  startsAt: toClock(banner?.startsAt ?? null),
  endsAt: toClock(banner?.endsAt ?? null),
  reason: '',
});

/** Sends what was written: a new banner, or a change of one. */
function useSave({ place, banner, onClose }: EditorProps) {
  const send = useSend(['content', 'banners']);
  const [isBusy, setBusy] = useState(false);
  const save = async (terms: Terms, words: Texts) => {
    if (isBusy) return;
    setBusy(true);
    const times = { startsAt: fromClock(terms.startsAt), endsAt: fromClock(terms.endsAt) };
    const body = { ...terms, ...times, words };
    const change = () =>
      banner
        ? api('PUT /api/operator/banners/{id}', {
            params: { id: banner.id },
            body: { ...body, version: banner.version },
          })
        : api('POST /api/operator/banners', { body: { ...body, place } });
    await send(change).then(onClose, () => setBusy(false));
  };
  return { save, isBusy };
}

interface EditorProps {
  place: Place;
  /** null: a new one. */
  banner: Banner | null;
  onClose: () => void;
}

/** Puts up a banner, or changes one. */
export function BannerEditor(props: EditorProps) {
  const { place, banner, onClose } = props;
  const { t } = useText();
  const { save, isBusy } = useSave(props);
  const [words, setTexts] = useState<Texts>(banner?.words ?? localized(() => NOTHING));
  const [terms, setTerms] = useState(termsOf(banner));
  const isComplete =
    LANGUAGES.every((language) => words[language].title.trim() !== '') &&
    terms.reason.trim().length >= REASON_LEAST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) void save(terms, words);
  };
  return (
    <Dialog
      onClose={onClose}
      size="xl"
      title={`${t(banner ? 'content.change' : 'banner.add')} · ${t(`bannerPlace.${place}`)}`}
      isLocked={isBusy}
    >
      <form onSubmit={submit}>
        <Stack>
          <Tabs defaultValue="th" keepMounted={false}>
            <Tabs.List>
              {LANGUAGES.map((language) => (
                <Tabs.Tab key={language} value={language}>
                  {LANGUAGE_NAMES[language]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {LANGUAGES.map((language) => (
              <Tabs.Panel key={language} value={language}>
                <LanguagePart
                  of={words[language]}
                  language={language}
                  thaiPicture={words.th.picture}
                  onChange={(change) =>
                    setTexts((before) => ({ ...before, [language]: { ...before[language], ...change } }))
                  }
                />
              </Tabs.Panel>
            ))}
          </Tabs>
          <TermFields of={terms} onChange={setTerms} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {t('btn.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isComplete}>
              {t('banner.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
