import { ApiError } from './api-error.ts';
import { type ApiSettings, refusalOf } from './client.ts';

const TIMEOUT_MS = 300_000;

/** Requests a file by POST and resolves to it, or throws ApiError as every other call does. */
export async function download(settings: ApiSettings, path: string, body: unknown): Promise<Blob> {
  const token = settings.token();
  const response = await fetch(settings.base + path, {
    method: 'POST',
    headers: {
      [settings.marker.name]: settings.marker.value,
      'Content-Type': 'application/json',
      ...(settings.language && { 'Accept-Language': settings.language() }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ApiError('network');
  });
  if (response.ok)
    return response.blob().catch(() => {
      throw new ApiError('network');
    });
  const error = refusalOf(response.status, await response.json().catch(() => undefined), false);
  settings.onRefusal(error, token);
  throw error;
}
