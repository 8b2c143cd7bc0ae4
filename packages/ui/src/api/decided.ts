import { ApiError } from './api-error.ts';

/** Whether the server has said something about the call: with our own codes a proxy did, or there was no response. */
export const isFromServer = ({ code }: ApiError): boolean =>
  !['network', 'unknownResult', 'generic'].includes(code);

/**
 * Whether the server has decided the call: then the same intent must not be sent again under its key. Without a
 * response of the server, throttled, or after a fault on the server's side the key stays good for
 * another try.
 */
export const isDecided = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429 &&
  isFromServer(error);
