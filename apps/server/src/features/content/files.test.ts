import sharp from 'sharp';
import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { madeFilm, uploadFile } from './testing-files.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${env.url}${path}`, { headers });

test('a picture is re-encoded and served publicly with a type that is never executed', async () => {
  const as = await helpers.operator('marketing');
  const drawn = sharp({ create: { width: 60, height: 30, channels: 3, background: '#a3261c' } });
  const bytes = await drawn
    .withExif({ IFD0: { Artist: 'hidden words' } })
    .png()
    .toBuffer();
  const { status, body } = await uploadFile(env, as, bytes, 'ภาพ.png');
  expect([status, body]).toEqual([
    200,
    { id: expect.any(String), path: expect.stringMatching(/^\/media\/[\w-]{20}\.jpg$/), type: 'image/jpeg' },
  ]);
  const reply = await get(body.path);
  const picture = Buffer.from(await reply.arrayBuffer());
  expect((await sharp(picture).metadata()).format).toBe('jpeg');
  expect(picture.includes('hidden words')).toBe(false);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  for (const wrong of [body.path.replace('.jpg', '.mp4'), body.path.replace('.jpg', ''), '/media/no.jpg'])
    expect((await get(wrong)).status).toBe(404);
  expect((await helpers.audit(`file:${body.id}`)).map((row) => row.action)).toEqual(['content.file']);
});

test('detects a film by its content, and serves it in ranges', async () => {
  const as = await helpers.operator('marketing');
  const film = madeFilm(1_200_000);
  const { body } = await uploadFile(env, as, film, 'guide.bin');
  expect(body).toMatchObject({ type: 'video/mp4' });
  const whole = await get(body.path);
  expect(Buffer.from(await whole.arrayBuffer()).equals(film)).toBe(true);
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  // As players do: from the end of the last range.
  const chunks: Buffer[] = [];
  for (let at = 0; at < film.length; at += chunks.at(-1)!.length) {
    const chunk = await get(body.path, { range: `bytes=${at}-` });
    expect(chunk.status).toBe(206);
    expect(chunk.headers.get('content-range')).toMatch(new RegExp(`^bytes ${at}-\\d+/${film.length}$`));
    chunks.push(Buffer.from(await chunk.arrayBuffer()));
  }
  expect(Buffer.concat(chunks).equals(film)).toBe(true);
  const tail = await get(body.path, { range: 'bytes=-10' });
  expect([tail.status, Buffer.from(await tail.arrayBuffer())]).toEqual([206, film.subarray(-10)]);
  expect((await get(body.path, { range: `bytes=${film.length}-` })).status).toBe(416);
});

test('what is neither is refused, whatever it is called', async () => {
  const as = await helpers.operator('marketing');
  const webm = Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    Buffer.from('18538067', 'hex'),
  ]);
  expect((await uploadFile(env, as, webm)).body).toMatchObject({ type: 'video/webm' });
  const page = '<html><script>steal()</script></html>';
  for (const [name, bytes] of [
    ['clip.mp4', Buffer.from(page)],
    ['clip.mp4', Buffer.from(`\0\0\0\x14ftypisom${page}`)],
    ['clip.mp4', madeFilm(100).subarray(0, 90)],
    ['logo.png', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>steal()</script></svg>`)],
    ['clip.webm', Buffer.from('1a45dfa3', 'hex')],
    ['notes.txt', Buffer.from('words')],
  ] as const)
    expect([name, (await uploadFile(env, as, bytes, name)).body]).toEqual([
      name,
      { message: 'SLIP_INVALID_FILE', data: { limit: 10 } },
    ]);
  const large = await uploadFile(env, as, Buffer.concat([madeFilm(8), Buffer.alloc(21 * 1024 * 1024)]));
  expect(large.body).toEqual({ message: 'SLIP_INVALID_FILE', data: { limit: 20 } });
  expect((await uploadFile(env, as, Buffer.alloc(0))).body).toEqual({ message: 'SLIP_NO_FILE' });
});
