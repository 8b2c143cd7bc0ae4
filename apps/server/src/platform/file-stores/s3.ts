import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Overloaded } from '../budget.ts';
import type { Config } from '../config.ts';
import type { FileStore } from './store.ts';

/** Where the bucket is and how to get in. */
export interface S3Settings {
  url: string;
  bucket: string;
  region: string;
  key: string;
  secret: string;
}

/** The settings of the bucket. Throws one sentence when one is missing. */
export function s3Settings(config: Config): S3Settings {
  const names = ['FILES_S3_URL', 'FILES_S3_BUCKET', 'FILES_S3_KEY', 'FILES_S3_SECRET'] as const;
  const missing = names.find((name) => !config[name]);
  if (missing) throw new Error(`${missing} is missing: files in a bucket need it.`);
  return {
    url: config.FILES_S3_URL,
    bucket: config.FILES_S3_BUCKET,
    region: config.FILES_S3_REGION,
    key: config.FILES_S3_KEY,
    secret: config.FILES_S3_SECRET,
  };
}

const CONNECT_MS = 2_000;
/** Without a byte for this long, a request has failed. */
const SILENT_MS = 10_000;
/** For a whole file, repeats included. */
const FILE_MS = 30_000;
const CHECK_MS = 2_500;
const ATTEMPTS = 3;
const RETRY_AFTER_SECONDS = 5;

/** The store does not answer, or refuses: callers come back later. The cause says what it answered. */
export class StoreUnavailable extends Overloaded {
  constructor(cause: unknown) {
    const { name, message } = cause as Error;
    const reason = `${name}: ${message}`.slice(0, 300);
    // The log of an overloaded call names the resource alone.
    super(`file_store (${reason})`, RETRY_AFTER_SECONDS);
    this.message = `The file store does not respond (${reason})`;
    this.cause = cause;
  }
}

const isMissing = (error: unknown): boolean => (error as Error).name === 'NoSuchKey';

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw new StoreUnavailable(error);
}

function unavailable(error: unknown): never {
  throw new StoreUnavailable(error);
}

/** The permanent refusal of the bucket for these settings; null for a temporary failure. */
export function settingsFault(error: unknown): string | null {
  const cause = (error as { cause?: { $metadata?: { httpStatusCode?: number } } }).cause;
  const status = cause?.$metadata?.httpStatusCode;
  if (status === 404) return 'FILES_S3_BUCKET names a bucket that does not exist.';
  if (status === 401 || status === 403)
    return 'FILES_S3_KEY and FILES_S3_SECRET do not open the bucket: the key must be allowed to list, read, write and delete.';
  if (status === 301 || status === 400) return 'FILES_S3_REGION or FILES_S3_URL is not that of the bucket.';
  return null;
}

/**
 * Keeps files in a bucket of an S3-compatible server. Each file is one object under its key; the server checks its
 * SHA-256 before it confirms, and a confirmed object is durable there. Throws StoreUnavailable when it does not answer.
 */
export function s3Store({ url, bucket, region, key: accessKeyId, secret }: S3Settings): FileStore {
  const client = new S3Client({
    endpoint: url,
    region,
    // Servers of one's own rarely have a host name for each bucket.
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey: secret },
    maxAttempts: ATTEMPTS,
    // Others than Amazon do not know the newer checksums; the signature covers a SHA-256 of the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: SILENT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: SILENT_MS,
    },
  });
  const within = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) });

  async function get(key: string, range?: string): Promise<Buffer> {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, ...(range && { Range: range }) });
    const { Body } = await client.send(command, within(FILE_MS));
    return Buffer.from(await Body!.transformToByteArray());
  }

  return {
    place: `${url.replace(/\/+$/, '')}/${bucket}`,
    async put(key, bytes) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: 'application/octet-stream',
      });
      await client.send(command, within(FILE_MS)).catch(unavailable);
    },
    read: (key) => get(key).catch(nullIfMissing),
    readRange: (key, position, length) =>
      get(key, `bytes=${position}-${position + length - 1}`).catch((error: Error) =>
        error.name === 'InvalidRange' ? Buffer.alloc(0) : nullIfMissing(error),
      ),
    async remove(key) {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: key });
      await client.send(command, within(SILENT_MS)).catch((error: unknown) => {
        if (!isMissing(error)) unavailable(error);
      });
    },
    async *keys(beginning = '') {
      let token: string | undefined;
      do {
        const command = new ListObjectsV2Command({
          Bucket: bucket,
          ContinuationToken: token,
          ...(beginning && { Prefix: beginning }),
        });
        const page = await client.send(command, within(FILE_MS)).catch(unavailable);
        for (const { Key } of page.Contents ?? []) if (Key) yield Key;
        token = page.NextContinuationToken;
      } while (token);
    },
    async storedAt(key) {
      const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
      const found = await client.send(command, within(SILENT_MS)).catch((error: Error) => {
        // A HEAD request has no body that would name the error.
        if (error.name === 'NotFound') return null;
        throw new StoreUnavailable(error);
      });
      return found?.LastModified ?? null;
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), within(CHECK_MS)).catch(unavailable);
    },
    freeBytes: () => Promise.resolve(null),
    close: () => client.destroy(),
  };
}
