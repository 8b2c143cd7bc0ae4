import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONSOLE_MARKER } from '@krapao/contract/shared';
import fastify from 'fastify';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { slipHelpers } from '../../features/deposits/slips/testing-slips.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { createBudget } from '../budget.ts';
import { acceptForms, BadForm } from './form.ts';
import { createUploads } from './uploads.ts';

const MEGABYTE = 1024 * 1024;
const DATA_DIR = await mkdtemp(join(tmpdir(), 'uploads-'));
afterAll(() => rm(DATA_DIR, { recursive: true }));
const env = await startTestEnv({
  jobs: false,
  environment: { UPLOAD_MEGABYTES_MAX: '60', DATA_DIR, TRUSTED_PROXIES: '127.0.0.1' },
});
const { budgets, guestImages, images, config } = env.app.deps;
const slips = slipHelpers(env);
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await expect.poll(() => [budgets.uploads.used(), budgets.guestUploads.used()]).toEqual([0, 0]);
});

interface Begun {
  path?: string;
  address?: string;
  token?: string;
  /** What is announced, and what is sent of it. */
  bytes?: number;
  sent?: number;
  port?: number;
}

/** Begins an upload that never ends. */
function begin({
  path = '/api/chat/upload-video',
  address = '192.0.2.1',
  token,
  bytes = 1000,
  sent = 0,
  port,
}: Begun) {
  const socket = connect(port ?? Number(new URL(env.url).port), '127.0.0.1').on('error', () => undefined);
  open.push(socket);
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n';
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nx-requested-with: wallet-user\r\nx-forwarded-for: ${address}\r\n` +
      `${token ? `authorization: Bearer ${token}\r\n` : ''}content-type: multipart/form-data; boundary=x\r\n` +
      `content-length: ${bytes}\r\n\r\n${sent > 0 ? part : ''}`,
  );
  socket.write(Buffer.alloc(sent));
  return socket;
}

const responseTo = async (begun: Begun): Promise<string> => String((await once(begin(begun), 'data'))[0]);

/** A picture that takes a while to read. */
const big = async () => {
  const { default: sharp } = await import('sharp');
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  return sharp({ create: { width: 3900, height: 4000, channels: 3, background: 'white', noise } })
    .jpeg({ quality: 10 })
    .toBuffer();
};

test('stalled uploads of guests take no more memory than their share, and nothing of members’', async () => {
  begin({ bytes: 19 * MEGABYTE, sent: MEGABYTE });
  await expect.poll(() => budgets.guestUploads.used()).toBe(19 * MEGABYTE);
  expect(await responseTo({ bytes: 10 * MEGABYTE })).toMatch(/^HTTP\/1.1 429 [\s\S]*REQUEST_LIMIT/);
  begin({ bytes: 10 * MEGABYTE, address: '192.0.2.2' });
  await expect.poll(() => budgets.guestUploads.used()).toBe(29 * MEGABYTE);
  expect(await responseTo({ bytes: 5 * MEGABYTE, address: '192.0.2.3' })).toMatch(
    /^HTTP\/1.1 503 [\s\S]*retry-after: 5/,
  );
  const member = await env.member();
  expect((await slips.upload(member, (await slips.make(member)).bytes)).status).toBe(200);
});

test('broken off they leave neither memory nor a file', async () => {
  const listed = () => readdir(join(config.dataDir, 'files'), { recursive: true }).catch(() => []);
  const before = (await listed()).length;
  for (let count = 0; count < 4; count++) begin({ bytes: 5 * MEGABYTE, sent: MEGABYTE });
  await expect.poll(() => budgets.guestUploads.used()).toBe(20 * MEGABYTE);
  for (const socket of open.splice(0)) socket.destroy();
  await expect.poll(() => budgets.guestUploads.used()).toBe(0);
  expect(await listed()).toHaveLength(before);
});

describe('before the body is read', () => {
  test('an identity that does not hold is refused', async () => {
    expect(await responseTo({ token: 'nonsense' })).toMatch(/^HTTP\/1.1 401 [\s\S]*invalid-token/);
    expect(await responseTo({ path: '/api/wallet/slip' })).toMatch(/^HTTP\/1.1 401 /);
  });

  test('a file too large is refused', async () => {
    expect(await responseTo({ bytes: 21 * MEGABYTE })).toMatch(/^HTTP\/1.1 400 [\s\S]*CHAT_FILE_TOO_LARGE/);
  });

  test('any file is refused while the disk is nearly full, with a code of its own', async () => {
    await env.set('file.diskFreeMegabytes', 1e9);
    const { token } = await env.member();
    for (const begun of [{}, { token }, { token, path: '/api/wallet/slip' }])
      expect(await responseTo(begun)).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 60[\s\S]*STORAGE_FULL/);
    await env.set('file.diskFreeMegabytes', 512);
  });
});

test('an upload that is too slow is hung up on, another one goes on', async () => {
  const own = {
    uploads: createBudget({ name: 'own', max: MEGABYTE }),
    guestUploads: createBudget({ name: 'guests', max: MEGABYTE }),
    disk: createBudget({ name: 'disk', max: 0 }),
  };
  const pace = { graceMs: 100, everyMs: 20, guestBytesPerSecond: 1e9, bytesPerSecond: 0 };
  const uploads = createUploads({
    store: env.app.deps.store,
    settings: env.app.deps.settings,
    budgets: own,
    pace,
  });
  const app = fastify();
  await acceptForms(app);
  const ended: unknown[] = [];
  app.post<{ Params: { who: string } }>('/:who', async (request) => {
    const uploader = { isGuest: request.params.who === 'guest', key: 'me' };
    const parts = { fileField: 'file', fields: [], fileBytesMax: MEGABYTE };
    const work = uploads.receive(request, parts, uploader, async () => 'all of it');
    await work.then(
      (what) => ended.push(what),
      (error) => ended.push(error instanceof BadForm),
    );
    return {};
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  begin({ port, path: '/member', sent: 10 });
  await once(begin({ port, path: '/guest', sent: 10 }), 'close');
  await expect.poll(() => ended).toEqual([true]);
  expect([own.guestUploads.used(), own.uploads.used()]).toEqual([0, 256 * 1024]);
  for (const socket of open.splice(0)) socket.destroy();
  await app.close();
});

test('a member’s slip is read while pictures of guests wait', async () => {
  const picture = await big();
  const member = await env.member();
  const { bytes } = await slips.make(member);
  // The thread for slips is there, as on a server that has been running.
  await slips.upload(member, bytes);
  void Promise.allSettled(
    Array.from({ length: 16 }, (_, at) => guestImages.read(picture, `guest ${at % 10}`)),
  );
  const other = await env.member();
  const slip = await slips.make(other);
  expect((await slips.upload(other, slip.bytes)).status).toBe(200);
  expect(guestImages.budget.used()).toBeGreaterThan(0);
  expect(images.budget.used()).toBe(0);
});

test('operators’ files come in by the same way', async () => {
  const operators = operatorHelpers(env);
  const marketing = await operators.operator('marketing');
  await env.set('file.diskFreeMegabytes', 1e9);
  const reply = await env.app.consoleHttp.inject({
    method: 'POST',
    url: '/api/operator/content-file',
    headers: {
      cookie: marketing.cookie,
      host: 'localhost',
      origin: 'http://localhost',
      [CONSOLE_MARKER.name]: CONSOLE_MARKER.value,
      'content-type': 'multipart/form-data; boundary=x',
    },
    payload: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--x--\r\n',
  });
  expect([reply.statusCode, reply.json().message]).toEqual([503, 'STORAGE_FULL']);
  await env.set('file.diskFreeMegabytes', 512);
});
