import type { MemberApi } from '@krapao/contract/member';
import { CHAT_TEXT_MAX } from '@krapao/contract/shared';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { createUpload } from '@krapao/ui/api/upload.ts';
import { type ChatFile, kindOfFile } from './file-rules.ts';
import { type Message, type Pending, withPending, withStamp } from './state.ts';
import type { Store } from './store.ts';
import { asCustomer, chatApi, chatSettings } from './who.ts';

/** A film over a slow line may take this long. */
const UPLOAD_MS = 300_000;
/** An uploaded file that no message has named is gone after an hour; before that it need not be sent again. */
const KEPT_MS = 50 * 60_000;

/** Refusals of what a file is: sending it again would be refused again. */
const REFUSALS = new Set(['CHAT_FILE_UNSUPPORTED', 'CHAT_FILE_TOO_LARGE']);

const upload = createUpload<MemberApi>(chatSettings);

/** Whether a text may be sent: not blank, and not too long. */
export function textProblem(text: string): 'blank' | 'long' | null {
  const trimmed = text.trim();
  if (trimmed === '') return 'blank';
  return [...trimmed].length > CHAT_TEXT_MAX ? 'long' : null;
}

const mediaOf = (file: ChatFile, filePath: string): Message => ({
  message_type: 'media',
  payload: { message: file.file.name, url: true, fileType: file.kind, filePath },
});

const pendingOf = (message: Message): Pending => ({ id: randomKey(), message, status: 'sending', share: 0 });

/** Throws ApiError for a file that would be refused. */
function pendingFile(file: File): Pending {
  const kind = kindOfFile(file);
  const preview = kind === 'image' ? URL.createObjectURL(file) : null;
  const chosen: ChatFile = { file, kind, preview };
  return { ...pendingOf(mediaOf(chosen, '')), file: chosen };
}

export interface Sending {
  text: (text: string) => void;
  postback: (title: string, payload: string) => void;
  /** Throws ApiError for a file that would be refused. */
  file: (file: File) => void;
  resend: (id: string) => void;
  remove: (id: string) => void;
}

/** Sends messages from the store to the server, one after another; calls `onFailure` with the reason of a refusal. */
export function createSending(store: Store, onFailure: (error: unknown) => void): Sending {
  let queue: Promise<unknown> = Promise.resolve();
  const uploads = new Map<string, AbortController>();
  const find = (id: string): Pending | undefined => store.read().pending.find((one) => one.id === id);
  const change = (id: string, next: Partial<Pending> | null) =>
    store.change((state) => withPending(state, id, next));

  const uploadOf = async (id: string, file: ChatFile): Promise<void> => {
    if (file.path && Date.now() - (file.uploadedAt ?? 0) < KEPT_MS) return;
    change(id, { status: 'uploading_file', share: 0 });
    const form = new FormData();
    form.append('file', file.file);
    const running = new AbortController();
    uploads.set(id, running);
    const { path } = await upload(`POST /api/chat/upload-${file.kind}`, {
      form,
      idempotencyKey: id,
      timeoutMs: UPLOAD_MS,
      onProgress: (share) => change(id, { share }),
      signal: running.signal,
    }).finally(() => uploads.delete(id));
    change(id, { file: { ...file, path, uploadedAt: Date.now() }, message: mediaOf(file, path) });
  };
  const post = async (id: string): Promise<void> => {
    const pending = find(id);
    if (!pending) return;
    change(id, { status: 'sending' });
    const message = { ...pending.message, deliver: { id } };
    const stamp = await asCustomer((who) =>
      chatApi('POST /api/chat/send-message', { body: { ...who, message } }),
    );
    store.change((state) => withStamp(state, pending, stamp));
    if (stamp.session_id !== store.read().endedSession) store.set({ endedSession: null });
  };
  /** A file goes up beside the others; then it is sent in order. */
  const send = async (id: string): Promise<void> => {
    try {
      const file = find(id)?.file;
      if (file) await uploadOf(id, file);
      const turn = queue.then(() => post(id));
      queue = turn.catch(() => undefined);
      await turn;
    } catch (error) {
      if (!find(id)) return;
      change(id, { status: REFUSALS.has(codeOf(error)) ? 'refused' : 'failed' });
      onFailure(error);
    }
  };
  const add = (pending: Pending) => {
    store.change((state) => ({ ...state, pending: [...state.pending, pending] }));
    void send(pending.id);
  };
  return {
    text: (text) => add(pendingOf({ message_type: 'text', payload: { message: text.trim() } })),
    postback: (title, message) => add(pendingOf({ message_type: 'postback', payload: { title, message } })),
    file: (file) => add(pendingFile(file)),
    resend(id) {
      change(id, { status: 'sending' });
      void send(id);
    },
    remove(id) {
      uploads.get(id)?.abort();
      change(id, null);
    },
  };
}
