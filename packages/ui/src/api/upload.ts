import { ApiError } from './api-error.ts';
import { type ApiSettings, refusalOf } from './client.ts';

export interface UploadInput {
  form: FormData;
  /** The same file under the same key is one upload, however often it is sent; for calls that take one. */
  idempotencyKey?: string;
  /** Whether it may move money: without a response its result is then unknown. */
  isMoney?: boolean;
  timeoutMs: number;
  /** How much has left this device, 0 to 1. */
  onProgress: (share: number) => void;
  /** Ends the upload; the promise is then rejected with its reason. */
  signal: AbortSignal;
}

/** `upload('POST /api/wallet/slip', { form, … })` resolves to the bare answer or throws ApiError. */
export type Upload<Calls> = <Name extends keyof Calls & string>(
  name: Name,
  input: UploadInput,
) => Promise<Calls[Name] extends { reply: unknown } ? Calls[Name]['reply'] : never>;

/** A client for forms with a file. It tells how far it is, which fetch cannot. */
export function createUpload<Calls>(settings: ApiSettings): Upload<Calls> {
  const upload = (name: string, input: UploadInput) =>
    new Promise((resolve, reject) => {
      const [method = 'POST', path = ''] = name.split(' ');
      const token = settings.token();
      const request = new XMLHttpRequest();
      const isMoney = input.isMoney === true;
      const fail = () => {
        const isOffline = navigator.onLine === false;
        reject(new ApiError(isMoney ? 'unknownResult' : 'network', { isOffline }));
      };
      request.open(method, settings.base + path);
      request.timeout = input.timeoutMs;
      request.responseType = 'text';
      request.upload.onprogress = ({ loaded, total }) => input.onProgress(total > 0 ? loaded / total : 0);
      request.upload.onload = () => input.onProgress(1);
      request.onerror = fail;
      request.ontimeout = fail;
      request.onabort = () => reject(input.signal.reason);
      request.onload = () => {
        const body = parsed(request.responseText);
        if (request.status === 200 && body !== undefined) return resolve(body);
        const error = refusalOf(request.status, body, isMoney);
        settings.onRefusal(error, token);
        reject(error);
      };
      input.signal.addEventListener('abort', () => request.abort(), { once: true });
      request.setRequestHeader(settings.marker.name, settings.marker.value);
      if (input.idempotencyKey) request.setRequestHeader('Idempotency-Key', input.idempotencyKey);
      if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
      request.send(input.form);
    });
  return upload as Upload<Calls>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
