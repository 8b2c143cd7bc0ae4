import { type Reply, upload } from '../../platform/api.ts';

const MINUTES_5_MS = 300_000;

/** Uploads a picture or film for a message; the path is good for an hour unless a message names it. */
export function uploadFile(file: File): Promise<Reply<'POST /api/operator/chat-file'>> {
  const form = new FormData();
  form.append('file', file, file.name);
  return upload('POST /api/operator/chat-file', {
    form,
    idempotencyKey: crypto.randomUUID(),
    timeoutMs: MINUTES_5_MS,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
}
