import { END_OF_ROWS } from './format.ts';

const END = Buffer.from(`\n${END_OF_ROWS}`);
const END_AT_START = Buffer.from(END_OF_ROWS);
const NEWLINE = 10;
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** Reads a backup's text in chunks, one in memory at a time. */
export class BackupReader {
  private readonly source: AsyncIterator<Buffer>;
  private buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  private async more(): Promise<void> {
    const { value, done } = await this.source.next();
    if (done) throw new Error('The backup ends too early: it was cut off.');
    this.buffer = this.buffer.length === 0 ? value : Buffer.concat([this.buffer, value]);
  }

  /** The next line, without its end. */
  async line(): Promise<string> {
    let end = this.buffer.indexOf(NEWLINE);
    while (end < 0) {
      if (this.buffer.length > LINE_BYTES_MAX) throw new Error('The backup holds a line without end.');
      await this.more();
      end = this.buffer.indexOf(NEWLINE);
    }
    const line = this.buffer.subarray(0, end).toString('utf8');
    this.buffer = this.buffer.subarray(end + 1);
    return line;
  }

  /** The rows up to their end mark, in chunks as they come. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.buffer.length < END_AT_START.length) await this.more();
    if (this.buffer.subarray(0, END_AT_START.length).equals(END_AT_START)) {
      this.buffer = this.buffer.subarray(END_AT_START.length);
      return;
    }
    for (;;) {
      const end = this.buffer.indexOf(END);
      if (end >= 0) {
        yield this.buffer.subarray(0, end + 1);
        this.buffer = this.buffer.subarray(end + END.length);
        return;
      }
      // The mark may be cut in two by the chunk's end, so as much as could be its beginning stays back.
      const safe = this.buffer.length - (END.length - 1);
      if (safe > 0) {
        yield this.buffer.subarray(0, safe);
        this.buffer = this.buffer.subarray(safe);
      }
      await this.more();
    }
  }
}
