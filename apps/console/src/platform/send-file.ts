import { upload } from './api.ts';

const MINUTES_5_MS = 300_000;

/** Uploads a picture or a film; returns its id and address. Throws ApiError. */
export function sendFile(file: Blob, onProgress: (share: number) => void = () => undefined) {
  const form = new FormData();
  form.append('file', file, 'file');
  return upload('POST /api/operator/content-file', {
    form,
    idempotencyKey: crypto.randomUUID(),
    timeoutMs: MINUTES_5_MS,
    onProgress,
    signal: new AbortController().signal,
  });
}
