import {
  CHAT_IMAGE_EXTENSIONS,
  CHAT_IMAGE_MEGABYTES_MAX,
  CHAT_VIDEO_EXTENSIONS,
  CHAT_VIDEO_MEGABYTES_MAX,
} from '@krapao/contract/shared';
import { ApiError } from '@krapao/ui/api/api-error.ts';

/** A file to be sent. */
export interface ChatFile {
  file: File;
  kind: 'image' | 'video';
  /** Address of a picture on this device. */
  preview: string | null;
  /** Its location after the upload, and the time; an unused upload is stored for an hour. */
  path?: string;
  uploadedAt?: number;
}

const MEGABYTE = 1024 * 1024;
const KINDS = {
  image: { extensions: CHAT_IMAGE_EXTENSIONS, limit: CHAT_IMAGE_MEGABYTES_MAX },
  video: { extensions: CHAT_VIDEO_EXTENSIONS, limit: CHAT_VIDEO_MEGABYTES_MAX },
} as const;

/** What a file picker offers. */
export const ACCEPTED = [...CHAT_IMAGE_EXTENSIONS, ...CHAT_VIDEO_EXTENSIONS].map((one) => `.${one}`).join();

/** Whether a file is a picture or a film by its name; throws the server's refusals for one it would not take. */
export function kindOfFile({ name, size }: { name: string; size: number }): 'image' | 'video' {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  for (const kind of ['image', 'video'] as const) {
    const { extensions, limit } = KINDS[kind];
    if (!extensions.some((one) => one === extension)) continue;
    if (size > limit * MEGABYTE) throw new ApiError('CHAT_FILE_TOO_LARGE', { limit });
    return kind;
  }
  throw new ApiError('CHAT_FILE_UNSUPPORTED');
}
