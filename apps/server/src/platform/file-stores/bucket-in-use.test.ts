import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandsHere } from '../../admin/fixtures/command-line.ts';
import { databaseUrlOf } from '../../crash/fixtures/server.ts';
import { slipHelpers } from '../../features/deposits/slips/testing-slips.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { noS3Server, startS3Server } from './fixtures/s3-server.ts';
import { listed } from './fixtures/store-tests.ts';
import { openStore } from './open.ts';

if (noS3Server) console.warn(`SKIPPED: a server with its files in a bucket. ${noS3Server}.`);

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-bucket-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function start() {
  const server = await startS3Server();
  afterAll(() => server.remove());
  const environment = { DATA_DIR: dataDir, ...server.environment };
  const env = await startTestEnv({ jobs: false, environment });
  const bucket = await openStore('s3', env.app.deps.config);
  const admin = commandsHere(await databaseUrlOf(env.pool));
  return { server, environment, env, bucket, admin, slips: slipHelpers(env) };
}

// Without the programs nothing is started, and every test below is skipped.
const { server, environment, env, bucket, admin, slips } = noS3Server
  ? ({} as Awaited<ReturnType<typeof start>>)
  : await start();

const fileOf = async (reference: string) =>
  (await env.pool.query('select file from slip where reference = $1', [reference])).rows[0].file as string;

test.skipIf(noS3Server)(
  'a slip that was acknowledged lies in the bucket, and opens by its link',
  async () => {
    const member = await env.member();
    const { status, body } = await slips.upload(member, (await slips.make(member)).bytes);
    expect(status).toBe(200);
    expect(await listed(bucket)).toContain(await fileOf(body.reference));
    const path = `/api/statement/slip/reference/${body.reference}`;
    const { url } = (await env.call('GET', path, undefined, { token: member.token })).body;
    expect((await fetch(env.url + url)).headers.get('content-type')).toBe('image/jpeg');
    expect(readdirSync(dataDir)).not.toContain('files');
  },
);

test.skipIf(noS3Server)(
  'while the bucket is away the server is ready, says so, and takes no file; then it goes on',
  {
    timeout: 60_000,
  },
  async () => {
    const member = await env.member();
    const slip = await slips.make(member);
    const { body } = await slips.upload(member, (await slips.make(member)).bytes);
    const link = env.app.deps.files.link(await fileOf(body.reference));
    const rows = async () => (await env.pool.query('select count(*)::int as count from slip')).rows[0].count;
    const before = await rows();
    await server.kill();
    await expect
      .poll(async () => (await env.call('GET', '/readyz')).body, { timeout: 20_000 })
      .toEqual({ status: 'ready', degraded: ['files'] });
    expect(await (await fetch(`${env.url}/metrics`)).text()).toContain(
      'krapao_dependency_up{dependency="files"} 0',
    );
    const refused = await slips.upload(member, slip.bytes, { key: 'bucket-away' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await fetch(env.url + link)).status).toBe(503);
    expect(await rows()).toBe(before);
    await server.start();
    expect((await slips.upload(member, slip.bytes, { key: 'bucket-away' })).status).toBe(200);
    expect((await fetch(env.url + link)).status).toBe(200);
    await expect
      .poll(async () => (await env.call('GET', '/readyz')).body, { timeout: 20_000 })
      .toEqual({ status: 'ready' });
  },
);

test.skipIf(noS3Server)(
  'the command copies between folder and bucket, says how much, and leaves an audit row',
  async () => {
    const there = await admin(['files', 'migrate', 'folder'], environment);
    expect(there).toMatchObject({ code: 0, error: '' });
    const count = (await listed(bucket)).length;
    expect(there.out).toMatch(
      new RegExp(
        `^${count} files copied \\(0\\.\\d MiB\\) from .*/krapao-files to ${dataDir}/files and verified, 0 were there`,
      ),
    );
    const again = await admin(['files', 'migrate', 's3'], environment);
    expect(again.out).toMatch(
      new RegExp(
        `^0 files copied \\(0\\.0 MiB\\) from ${dataDir}/files to .*/krapao-files and verified, ${count} were there`,
      ),
    );
    const { rows } = await env.owner.query(
      "select action, subject, after from audit where action = 'files.migrate' order by id",
    );
    expect(rows).toMatchObject([
      { subject: 'files', after: { copied: count, present: 0, different: 0 } },
      { subject: 'files', after: { copied: 0, present: count, different: 0 } },
    ]);
  },
);

test.skipIf(noS3Server)(
  'the command fails, and leaves no audit row, where no file lies in the folder it copies from',
  async () => {
    const other = join(dataDir, 'not-that-of-the-servers');
    const audits = "select count(*)::int as count from audit where action = 'files.migrate'";
    const before = (await env.owner.query(audits)).rows;
    for (const made of [false, true]) {
      if (made) mkdirSync(join(other, 'files'), { recursive: true });
      expect(await admin(['files', 'migrate', 's3'], { ...environment, DATA_DIR: other })).toMatchObject({
        code: 1,
        out: '',
        error: `No file lies in ${other}/files, so nothing was copied. Check that DATA_DIR is that of the servers.\n`,
      });
    }
    expect((await env.owner.query(audits)).rows).toEqual(before);
  },
);

test.skipIf(noS3Server)('the command says in one sentence what keeps it from copying', async () => {
  expect(await admin(['files', 'migrate', 'tape'], environment)).toMatchObject({
    code: 1,
    error: 'There is no store tape: say folder or s3.\n',
  });
  expect(await admin(['files', 'migrate', 's3'], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    error: 'FILES_S3_URL is missing: files in a bucket need it.\n',
  });
  await server.kill();
  const away = await admin(['files', 'migrate', 's3'], environment);
  expect(away.code).toBe(1);
  expect(away.error).toMatch(/^The file store does not respond.*What was copied stays; run it again\.\n$/);
  await server.start();
});
