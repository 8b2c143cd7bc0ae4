import { CHAT_TEXT_MAX } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Button, FileButton, Group, Kbd, Menu, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Paperclip, Plus, SendHorizontal } from 'lucide';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../../parts/icons.tsx';
import { useNotice } from '../../parts/notice.tsx';
import { api, upload } from '../../platform/api.ts';
import { Builder, type Built } from './builder.tsx';
import styles from './chats.module.css';
import { fitting } from './lines.ts';
import type { Said } from './types.ts';

const MINUTES_5_MS = 300_000;
const TYPING_EVERY_MS = 2_500;
const ACCEPT = 'image/png,image/jpeg,image/gif,video/mp4,video/quicktime,.mov';

/** Uploads a picture or film and answers the message that shows it. */
async function sentFile(file: File): Promise<Said> {
  const form = new FormData();
  form.append('file', file, file.name);
  const { path, fileType } = await upload('POST /api/operator/chat-file', {
    form,
    idempotencyKey: crypto.randomUUID(),
    timeoutMs: MINUTES_5_MS,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  return { message_type: 'media', payload: { message: file.name, url: true, fileType, filePath: path } };
}

interface ComposerProps {
  id: string;
  onSend: (message: Said) => void;
  onNote: (text: string) => Promise<void>;
}

/** What the agent writes: Enter sends, `/` offers replies kept ready, and a note stays among agents. */
export function Composer({ id, onSend, onNote }: ComposerProps) {
  const { t } = useText();
  const notice = useNotice();
  const [text, setText] = useState('');
  const [isNote, setNote] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [built, setBuilt] = useState<Built | null>(null);
  const typedAt = useRef(0);
  const canned = useQuery({ queryKey: ['canned'], queryFn: () => api('GET /api/operator/canned') });
  const offered = fitting(canned.data?.canned ?? [], text);
  const trimmed = text.trim();
  const submit = () => {
    if (trimmed === '' || trimmed.length > CHAT_TEXT_MAX) return;
    if (isNote) {
      void onNote(trimmed).then(
        () => setText(''),
        () => undefined,
      );
      return;
    }
    onSend({ message_type: 'text', payload: { message: trimmed } });
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (offered[0]) setText(offered[0].text);
    else submit();
  };
  const type = (value: string) => {
    setText(value);
    if (isNote || Date.now() - typedAt.current < TYPING_EVERY_MS) return;
    typedAt.current = Date.now();
    api('POST /api/operator/chats/{id}/typing', { params: { id }, body: {} }).catch(() => undefined);
  };
  const attach = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    await sentFile(file).then(onSend, notice.complain);
    setBusy(false);
  };
  return (
    <div className={styles.composer}>
      {offered.length > 0 && (
        <div className={styles.canned}>
          {offered.map((one) => (
            <button key={one.id} type="button" onClick={() => setText(one.text)}>
              <Text size="xs" c="dimmed">{`/${one.shortcut}`}</Text>
              <Text size="sm">{one.text}</Text>
            </button>
          ))}
        </div>
      )}
      <Textarea
        aria-label={isNote ? t('chats.noteHint') : t('chats.hint')}
        placeholder={isNote ? t('chats.noteHint') : t('chats.hint')}
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        error={trimmed.length > CHAT_TEXT_MAX ? t('chats.tooLong', { max: CHAT_TEXT_MAX }) : undefined}
        styles={isNote ? { input: { background: 'var(--gold-soft)' } } : {}}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group justify="space-between">
        <Group gap="xs">
          <FileButton accept={ACCEPT} onChange={attach}>
            {(props) => (
              <ActionIcon
                {...props}
                variant="default"
                size="lg"
                loading={isBusy}
                aria-label={t('chats.attach')}
              >
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
          <Button
            variant={isNote ? 'filled' : 'default'}
            aria-pressed={isNote}
            onClick={() => setNote(!isNote)}
          >
            {t('chats.note')}
          </Button>
        </Group>
        <Button
          rightSection={isNote ? undefined : <Kbd>{'Enter'}</Kbd>}
          leftSection={<Icon of={SendHorizontal} />}
          disabled={trimmed === '' || trimmed.length > CHAT_TEXT_MAX}
          onClick={submit}
        >
          {isNote ? t('chats.saveNote') : t('chats.send')}
        </Button>
      </Group>
      {built && <Builder kind={built} onSend={onSend} onClose={() => setBuilt(null)} />}
    </div>
  );
}
