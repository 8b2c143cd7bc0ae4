/** The shape of every file's key; anything else in a store is not ours. */
export const FILE_KEY = /^[\w-]{24}(\.mp4)?$/;

/** Where sealed files lie. Keys are unguessable and never used twice, so a file never changes. */
export interface FileStore {
  /** How error messages and the command line name the place. */
  readonly place: string;
  /** Stores a file. When it resolves, the file is durable; a repeat of the same key and bytes changes nothing. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of a file; null when there is none. */
  read(key: string): Promise<Buffer | null>;
  /** At most `length` bytes from a position; fewer at the end of the file, null when there is no such file. */
  readRange(key: string, position: number, length: number): Promise<Buffer | null>;
  /** Deletes a file; a repeat does nothing. */
  remove(key: string): Promise<void>;
  /** The keys of all files, or of those with a first character, in no particular order. */
  keys(beginning?: string): AsyncIterable<string>;
  /** Deletes what writes that were cut off before a time have left; absent where a write leaves nothing. */
  removeCutWrites?(before: Date): Promise<void>;
  /** When a file was stored, by the store's clock; null when there is none. */
  storedAt(key: string): Promise<Date | null>;
  /** Throws when files can be neither read nor written at the moment. */
  check(): Promise<void>;
  /** Free bytes; null where the place has no limit that we know. */
  freeBytes(): Promise<number | null>;
  close(): void;
}
