import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { encode } from 'uqr';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Overloaded } from '../budget.ts';
import { createImages } from './images.ts';

/** As patient as a machine needs that does much else at the time. */
const images = createImages({ timeoutMs: 30_000 });
afterAll(() => images.close());

const part = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** A PNG of one bit a pixel that declares this size; small as a file, endless when unpacked. */
function bomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    part('IDAT', rows),
    part('IEND', Buffer.alloc(0)),
  ]);
}

async function codePicture(text: string): Promise<Buffer> {
  const { data, size } = encode(text, { border: 4 });
  const pixels = Buffer.from(data.flat().map((on) => (on ? 0 : 255)));
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * 6, size * 6, { kernel: 'nearest' })
    .png()
    .toBuffer();
}

describe('a picture of unknown origin', () => {
  test('of 625 megapixels in a small file is refused within 250 MB', async () => {
    await images.read(await codePicture('warm'), 'caller');
    const file = bomb(25_000);
    expect(file.length).toBeLessThan(1_000_000);
    const before = process.memoryUsage().rss;
    expect(await images.read(file, 'caller')).toEqual({ ok: false, why: 'PIXELS' });
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  test('just within the limit is read, within the same memory', async () => {
    const before = process.memoryUsage().rss;
    const reading = await images.read(bomb(6_320), 'caller');
    expect(reading.ok && [reading.picture.width, reading.picture.height]).toEqual([2000, 2000]);
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  test('that lies about what it is, is cut off, or is none', async () => {
    const good = await codePicture('text');
    for (const bytes of [
      Buffer.from('hello'),
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      await sharp(good).tiff().toBuffer(),
    ])
      expect(await images.read(bytes, 'caller')).toEqual({ ok: false, why: 'FORMAT' });
    for (const bytes of [good.subarray(0, good.length / 2), bomb(1024).subarray(0, 60)])
      expect(await images.read(bytes, 'caller')).toMatchObject({ ok: false });
  });

  test('is turned upright, drawn again, and its codes are read', async () => {
    const turned = await sharp(await codePicture('00-text'))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const reading = await images.read(turned, 'caller');
    expect(reading.ok && reading.picture.codes).toEqual(['00-text']);
    const meta = reading.ok ? await sharp(reading.picture.jpeg).metadata() : null;
    expect([meta?.format, meta?.orientation]).toEqual(['jpeg', undefined]);
  });
});

test('one that takes too long is given up, and the next is read', async () => {
  const hasty = createImages({ timeoutMs: 20 });
  expect(await hasty.read(bomb(6_320), 'caller')).toEqual({ ok: false, why: 'TIME' });
  await hasty.close();
  const reading = await images.read(await codePicture('next'), 'caller');
  expect(reading.ok && reading.picture.codes).toEqual(['next']);
});

/** Nothing of this thread runs meanwhile, as on a machine that does much else. */
const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('what a thread takes to begin is not the time of the picture', async () => {
  const cold = createImages({ timeoutMs: 2_000 });
  const reading = cold.read(await codePicture('first'), 'caller');
  stall(2_100);
  expect((await reading).ok).toBe(true);
  await cold.close();
});

// Timers are advanced by time: others of the process may be due before.
const TIME_MS = 4_000;

test('time in which the machine had no processor for a picture is not the time of the picture', async () => {
  const own = createImages({ timeoutMs: TIME_MS });
  await own.read(await codePicture('warm'), 'caller');
  const picture = await codePicture('text');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reading = own.read(picture, 'caller');
  for (let times = 1; times < 5; times++) vi.advanceTimersByTime(TIME_MS);
  expect((await reading).ok).toBe(true);
  const starved = own.read(picture, 'caller');
  for (let times = 1; times <= 5; times++) vi.advanceTimersByTime(TIME_MS);
  await expect(starved).rejects.toThrow(Overloaded);
  await own.close();
});

test('a thread that does not begin says nothing of the picture, and another one reads the next', async () => {
  const own = createImages({ waitMs: 300_000 });
  const picture = await codePicture('text');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const readings = [own.read(picture, 'caller'), own.read(picture, 'caller')];
  vi.advanceTimersByTime(30_000);
  await expect(readings[0]).rejects.toThrow(Overloaded);
  expect((await readings[1])?.ok).toBe(true);
  await own.close();
});

test('an answer that comes too late is not taken for the next picture’s', async () => {
  const own = createImages({ timeoutMs: 300 });
  await own.read(await codePicture('warm'), 'caller');
  const [mine, theirs] = [bomb(6_320), await codePicture('theirs')];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const readings = [own.read(mine, 'caller'), own.read(theirs, 'caller')];
  // The response has arrived and is not processed yet when its time is over.
  stall(3_000);
  vi.advanceTimersByTime(300);
  const [late, next] = await Promise.all(readings);
  expect(late).toEqual({ ok: false, why: 'TIME' });
  expect(next?.ok && next.picture.codes).toEqual(['theirs']);
  await own.close();
});

test('past the queue the caller is refused at once', async () => {
  const small = createImages({ queueMax: 1 });
  const picture = await codePicture('q');
  const all = await Promise.allSettled([1, 2, 3].map(() => small.read(picture, 'caller')));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await small.close();
});

test('a caller may have so many waiting, others still have theirs', async () => {
  const own = createImages({ callerMax: 2 });
  const picture = await codePicture('q');
  const all = await Promise.allSettled(['a', 'a', 'a', 'b'].map((caller) => own.read(picture, caller)));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(all[2]).toMatchObject({ reason: { code: 'REQUEST_LIMIT' } });
  expect((await own.read(picture, 'a')).ok).toBe(true);
  expect(own.budget.used()).toBe(0);
  await own.close();
});

test('one that waits too long is given up, and takes no place any more', async () => {
  const own = createImages({ waitMs: 50, timeoutMs: 30_000 });
  await own.read(await codePicture('warm'), 'caller');
  const [first, second] = [own.read(bomb(6_320), 'caller'), own.read(bomb(6_320), 'caller')];
  await expect(second).rejects.toThrow(Overloaded);
  expect(own.budget.used()).toBe(1);
  expect((await first).ok).toBe(true);
  await own.close();
});

test('a lower limit of pixels holds for guests', async () => {
  const own = createImages({ pixelsMax: 1_000_000 });
  expect(await own.read(bomb(1_024), 'caller')).toEqual({ ok: false, why: 'PIXELS' });
  await own.close();
});
