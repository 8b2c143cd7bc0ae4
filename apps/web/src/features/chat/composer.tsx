import { CHAT_TEXT_MAX } from '@krapao/contract/shared';
import { cx } from '@krapao/ui/components/class-names.ts';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Paperclip, SendHorizontal } from 'lucide';
import { type ClipboardEvent, type KeyboardEvent, type SubmitEvent, useId, useRef, useState } from 'react';
import styles from './composer.module.css';
import type { Conversation } from './conversation.ts';
import { ACCEPTED } from './file-rules.ts';
import { textProblem } from './sending.ts';

/** Enter sends; with Shift or Ctrl it does not, nor while an input method is still building a word. */
const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.nativeEvent.isComposing;

interface ComposerProps {
  conversation: Conversation;
  /** The reference in the first message; empty for none. */
  about: string;
  onFailure: (error: unknown) => void;
}

/** Where a customer writes, attaches, and sends. */
export function Composer({ conversation, about, onFailure }: ComposerProps) {
  const { t } = useText();
  // A question about a reference is begun in front of what was written before, unless that names it already.
  const [text, setText] = useState(() => {
    const draft = conversation.draft();
    return draft.includes(about) ? draft : t('chat.about', { reference: about }) + draft;
  });
  const write = (next: string) => {
    setText(next);
    conversation.setDraft(next);
  };
  const box = useRef<HTMLTextAreaElement>(null);
  const problemId = useId();
  const isLong = textProblem(text) === 'long';
  const send = () => {
    if (textProblem(text) !== null) return;
    conversation.text(text);
    write('');
    box.current?.focus();
  };
  const attach = (files: FileList | null) => {
    try {
      for (const file of files ?? []) conversation.file(file);
    } catch (error) {
      onFailure(error);
    }
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attach(event.clipboardData.files);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form className={styles.composer} onSubmit={submit}>
      {isLong && (
        <p id={problemId} className={styles.problem} role="alert">
          {t('chat.tooLong', { max: CHAT_TEXT_MAX })}
        </p>
      )}
      <AttachButton onChoose={attach} />
      <textarea
        ref={box}
        rows={1}
        className={cx(styles.text, isLong && styles.bad)}
        value={text}
        placeholder={t('chat.placeholder')}
        aria-label={t('chat.placeholder')}
        aria-invalid={isLong}
        aria-describedby={isLong ? problemId : undefined}
        enterKeyHint="send"
        onPaste={paste}
        onChange={(event) => {
          write(event.target.value);
          conversation.typing();
        }}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <button type="submit" className={styles.send} aria-label={t('chat.send')}>
        <Icon of={SendHorizontal} />
      </button>
    </form>
  );
}

function AttachButton({ onChoose }: { onChoose: (files: FileList | null) => void }) {
  const { t } = useText();
  return (
    <label className={styles.attach}>
      <input
        type="file"
        accept={ACCEPTED}
        aria-label={t('chat.attach')}
        onChange={(event) => {
          onChoose(event.target.files);
          event.target.value = '';
        }}
      />
      <Icon of={Paperclip} />
    </label>
  );
}
