import { CHAT_TEXT_MAX } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Button, FileButton, Group, Kbd, Menu, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Paperclip, Plus, SendHorizontal } from 'lucide';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { NameOffers, OfferList } from '../../components/offer-list.tsx';
import { api } from '../../platform/api.ts';
import { useNameOffers } from '../../platform/name-offers.ts';
import type { Built } from './build.ts';
import { Builder } from './builder.tsx';
import styles from './chat.module.css';
import { fitting } from './rows.ts';
import type { MessageContent } from './types.ts';
import { changeUnsent, useUnsent } from './unsent.ts';
import { uploadFile } from './upload-file.ts';

const TYPING_EVERY_MS = 2_500;
const ACCEPT = 'image/png,image/jpeg,image/gif,video/mp4,video/quicktime,.mov';

/** Uploads a picture or film and answers the message that shows it. */
async function sentFile(file: File): Promise<MessageContent> {
  const { path, fileType } = await uploadFile(file);
  return { message_type: 'media', payload: { message: file.name, url: true, fileType, filePath: path } };
}

interface ComposerProps {
  id: string;
  onSend: (message: MessageContent) => void;
  /** Saves the text as a note. */
  onNote: () => Promise<void>;
}

/** What is being written, and what becomes of it; the draft stays while another conversation is shown. */
function useWriting({ id, onSend, onNote }: ComposerProps) {
  const { text, isNote, isSaving } = useUnsent(id);
  const setText = (value: string) => changeUnsent(id, () => ({ text: value }));
  const setNote = (value: boolean) => changeUnsent(id, () => ({ isNote: value }));
  const typedAt = useRef(0);
  const canned = useQuery({ queryKey: ['canned'], queryFn: () => api('GET /api/operator/canned') });
  const offered = fitting(canned.data?.canned ?? [], text);
  const names = useNameOffers(text, setText, isNote);
  const trimmed = text.trim();
  const isGood = trimmed !== '' && trimmed.length <= CHAT_TEXT_MAX;
  const submit = () => {
    if (!isGood) return;
    if (isNote) {
      void onNote();
      return;
    }
    onSend({ message_type: 'text', payload: { message: trimmed } });
    setText('');
  };
  const type = (value: string) => {
    setText(value);
    if (isNote || Date.now() - typedAt.current < TYPING_EVERY_MS) return;
    typedAt.current = Date.now();
    api('POST /api/operator/chats/{id}/typing', { params: { id }, body: {} }).catch(() => undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (names.offered[0]) names.choose(names.offered[0]);
    else if (offered[0]) setText(offered[0].text);
    else submit();
  };
  return {
    text,
    setText,
    isNote,
    setNote,
    offered,
    names,
    isTooLong: trimmed.length > CHAT_TEXT_MAX,
    isGood,
    isSaving,
    submit,
    type,
    onKeyDown,
  };
}

type Writing = ReturnType<typeof useWriting>;

function Offered({ of: { offered, setText } }: { of: Writing }) {
  if (offered.length === 0) return null;
  return (
    <OfferList>
      {offered.map((one) => (
        <button key={one.id} type="button" onClick={() => setText(one.text)}>
          <Text size="xs" c="dimmed">{`/${one.shortcut}`}</Text>
          <Text size="sm">{one.text}</Text>
        </button>
      ))}
    </OfferList>
  );
}

/** Sends files one after another; reports why one was refused. */
function useAttaching(onSend: ComposerProps['onSend']) {
  const notice = useNotice();
  const [isBusy, setBusy] = useState(false);
  const attach = async (files: readonly File[]) => {
    setBusy(true);
    for (const file of files) await sentFile(file).then(onSend, notice.complain);
    setBusy(false);
  };
  return { isBusy, attach };
}

type Attaching = ReturnType<typeof useAttaching>;

/** A file, or a message that is put together. */
function Extras({ onSend, of: { isBusy, attach } }: Pick<ComposerProps, 'onSend'> & { of: Attaching }) {
  const { t } = useText();
  const [built, setBuilt] = useState<Built | null>(null);
  return (
    <>
      <FileButton accept={ACCEPT} onChange={(file) => file && void attach([file])}>
        {(props) => (
          <ActionIcon {...props} variant="default" size="lg" loading={isBusy} aria-label={t('chats.attach')}>
            <Icon of={Paperclip} />
          </ActionIcon>
        )}
      </FileButton>
      <Menu position="top-start">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('chats.build')}>
            <Icon of={Plus} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(['buttons', 'quick_replies', 'generic'] as const).map((kind) => (
            <Menu.Item key={kind} onClick={() => setBuilt(kind)}>
              {t(`chatKind.${kind}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {built && <Builder kind={built} onSend={onSend} onClose={() => setBuilt(null)} />}
    </>
  );
}

/** What the agent writes: Enter sends, `/` offers ready replies, and a note stays among agents. */
export function Composer(props: ComposerProps) {
  const { t } = useText();
  const writing = useWriting(props);
  const { isNote, isGood } = writing;
  const attaching = useAttaching(props.onSend);
  // A note is among agents, and a file would go to the customer.
  const paste = (event: ClipboardEvent) => {
    if (isNote || event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attaching.attach([...event.clipboardData.files]);
  };
  const hint = isNote ? t('chats.noteHint') : t('chats.hint');
  return (
    <div className={styles.composer}>
      <Offered of={writing} />
      <NameOffers of={writing.names} />
      <Textarea
        aria-label={hint}
        placeholder={hint}
        autosize
        minRows={1}
        maxRows={6}
        value={writing.text}
        error={writing.isTooLong ? t('chats.tooLong', { max: CHAT_TEXT_MAX }) : undefined}
        styles={isNote ? { input: { background: 'var(--gold-soft)' } } : {}}
        onChange={(event) => writing.type(event.currentTarget.value)}
        onKeyDown={writing.onKeyDown}
        onPaste={paste}
      />
      <Group justify="space-between">
        <Group gap="xs">
          {!isNote && <Extras onSend={props.onSend} of={attaching} />}
          <Button
            variant={isNote ? 'filled' : 'default'}
            aria-pressed={isNote}
            onClick={() => writing.setNote(!isNote)}
          >
            {t('chats.note')}
          </Button>
        </Group>
        <Button
          rightSection={isNote ? undefined : <Kbd>{'Enter'}</Kbd>}
          leftSection={<Icon of={SendHorizontal} />}
          disabled={!isGood}
          loading={writing.isSaving}
          onClick={writing.submit}
        >
          {isNote ? t('chats.saveNote') : t('chats.send')}
        </Button>
      </Group>
    </div>
  );
}
