import { LANGUAGE_NAMES, LANGUAGES, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, FileButton, Group, Paper, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide';
import { type FormEvent, useState } from 'react';
import { Tag } from '../../components/cells.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icons.tsx';
import { MoveButtons, movedBy } from '../../components/move-buttons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { labelOf } from '../../platform/error-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { sendFile } from '../../platform/send-file.ts';
import { useSend } from '../../platform/use-send.ts';
import styles from './banners.module.css';

type Guide = Reply<'GET /api/operator/guides'>['guides'][number];
type Film = Guide['video'];

const REASON_LEAST = 3;

function FilmField({ film, onChange }: { film: Film; onChange: (film: Film) => void }) {
  const { t } = useText();
  const notice = useNotice();
  const [share, setShare] = useState<number | null>(null);
  const send = async (file: File | null) => {
    if (!file) return;
    setShare(0);
    try {
      onChange(await sendFile(file, setShare));
    } catch (error) {
      notice.complain(error);
    }
    setShare(null);
  };
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('guide.film')}
      </Text>
      {film ? (
        <video className={styles.film} src={film.path} controls muted preload="metadata" />
      ) : (
        <Text size="sm">{t('guide.filmShipped')}</Text>
      )}
      <Text size="xs" c="dimmed">
        {t('guide.filmNote')}
      </Text>
      <Group gap="xs">
        <FileButton accept="video/mp4,video/webm" onChange={send}>
          {(props) => (
            <Button {...props} size="compact-sm" variant="default" leftSection={<Icon of={Upload} />}>
              {share === null ? t('guide.chooseFilm') : `${Math.round(share * 100)}%`}
            </Button>
          )}
        </FileButton>
        {film && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(null)}>
            {t('guide.removeFilm')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function GuideEditor({ guide, onClose }: { guide: Guide; onClose: () => void }) {
  const { t } = useText();
  const send = useSend(['content', 'guides']);
  const [titles, setTitles] = useState(guide.titles);
  const [film, setFilm] = useState(guide.video);
  const [isOpen, setOpen] = useState(guide.isOpen);
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isComplete = reason.trim().length >= REASON_LEAST;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || isBusy) return;
    setBusy(true);
    const body = { titles, video: film?.id ?? null, isOpen, version: guide.version, reason };
    const params = { name: guide.name };
    await send(() => api('PUT /api/operator/guides/{name}', { params, body })).then(onClose, () =>
      setBusy(false),
    );
  };
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={`${t('content.change')} · ${labelOf(t, 'guideName', guide.name)}`}
      isLocked={isBusy}
    >
      <form onSubmit={submit}>
        <Stack>
          {LANGUAGES.map((language) => (
            <TextInput
              key={language}
              label={LANGUAGE_NAMES[language]}
              lang={languageTag(language)}
              maxLength={80}
              value={titles[language]}
              onChange={(event) => {
                const title = event.currentTarget.value;
                setTitles((before) => ({ ...before, [language]: title }));
              }}
            />
          ))}
          <FilmField film={film} onChange={setFilm} />
          <Switch
            label={t('banner.isOpen')}
            checked={isOpen}
            onChange={(event) => setOpen(event.currentTarget.checked)}
          />
          <Textarea
            label={t('field.reason')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
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

function Row(props: {
  guide: Guide;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
  onChange: () => void;
}) {
  const { t } = useText();
  const canManage = may(useMe(), 'content.manage');
  const { titles, video, isOpen } = props.guide;
  const name = labelOf(t, 'guideName', props.guide.name);
  const own = LANGUAGES.map((language) => titles[language])
    .filter(Boolean)
    .join(' · ');
  return (
    <Group justify="space-between" wrap="nowrap">
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {!isOpen && <Tag tone="ink-2">{t('guide.off')}</Tag>}
        </Group>
        <Text size="xs" c="dimmed">
          {[own, t(video ? 'guide.filmOwn' : 'guide.filmShipped')].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
      {canManage && (
        <Group gap={4} wrap="nowrap">
          <MoveButtons name={name} isFirst={props.isFirst} isLast={props.isLast} onMove={props.onMove} />
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${t('content.change')} ${name}`}
            onClick={props.onChange}
          >
            {t('content.change')}
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** The five guides of the how-to page. */
export function GuideList() {
  const { t } = useText();
  const send = useSend(['content', 'guides']);
  const [dialog, setDialog] = useState<Guide | null>(null);
  const list = useQuery({ queryKey: ['content', 'guides'], queryFn: () => api('GET /api/operator/guides') });
  if (!list.data) return <ReadError of={list} />;
  const { guides } = list.data;
  const move = (name: string, by: number) => {
    const names = guides.map((guide) => guide.name);
    const body = { names: movedBy(names, name, by) };
    void send(() => api('POST /api/operator/guide-order', { body })).catch(() => undefined);
  };
  return (
    <Stack>
      <ReadError of={list} />
      <Text c="dimmed">{t('guide.about')}</Text>
      <Paper withBorder p="md" component="section" aria-label={t('guide.guides')}>
        <Stack gap="sm">
          {guides.map((guide, index) => (
            <Row
              key={guide.name}
              guide={guide}
              isFirst={index === 0}
              isLast={index === guides.length - 1}
              onMove={(by) => move(guide.name, by)}
              onChange={() => setDialog(guide)}
            />
          ))}
        </Stack>
      </Paper>
      {dialog && <GuideEditor guide={dialog} onClose={() => setDialog(null)} />}
    </Stack>
  );
}
