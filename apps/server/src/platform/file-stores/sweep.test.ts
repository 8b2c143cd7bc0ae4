import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { slipHelpers } from '../../features/deposits/slips/testing-slips.ts';
import { kycHelpers } from '../../features/kyc/testing-kyc.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { systemClock } from '../clock.ts';
import { createFiles } from '../files.ts';
import { createSecrets } from '../secrets.ts';
import { noS3Server, startS3Server } from './fixtures/s3-server.ts';
import { listed } from './fixtures/store-tests.ts';
import { fileJobs, sweepFiles } from './sweep.ts';

if (noS3Server) console.warn(`SKIPPED: clean-up of a bucket. ${noS3Server}.`);

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-sweep-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function environmentOf(kind: string): Promise<Record<string, string>> {
  if (kind === 'folder') return { DATA_DIR: dataDir };
  const server = await startS3Server();
  afterAll(() => server.remove());
  return { DATA_DIR: dataDir, ...server.environment };
}

const kinds = noS3Server ? ['folder'] : ['folder', 'bucket'];
const envs = await Promise.all(
  kinds.map(async (kind) => startTestEnv({ jobs: false, environment: await environmentOf(kind) })),
);

describe.each(kinds)('files in a %s', (kind) => {
  const env = envs[kinds.indexOf(kind)]!;
  const { deps } = env.app;
  const slips = slipHelpers(env);
  const later = { ...systemClock, now: () => new Date(Date.now() + DAY_MS + 60_000) };
  const sweep = (clock = later) => sweepFiles({ ...deps, pool: env.pool, clock }, '');
  const withRow = async (): Promise<string> => {
    const member = await env.member();
    const { body } = await slips.upload(member, (await slips.make(member)).bytes);
    const { rows } = await env.pool.query('select file from slip where reference = $1', [body.reference]);
    return rows[0].file;
  };

  const withDocument = async (): Promise<string> => {
    const member = await env.member();
    await env.owner.query(
      "insert into kyc_check (member_id, state, round, wanted, requested_at) values ($1, 'REQUESTED', 1, '{identity}', now())",
      [member.id],
    );
    expect((await kycHelpers(env).send(member, 'identity')).status).toBe(200);
    const { rows } = await env.pool.query('select file from kyc_document where member_id = $1', [member.id]);
    return rows[0].file;
  };

  test('without a row are deleted after a day; those with one, of others, and newer ones stay', async () => {
    const named = await withRow();
    const document = await withDocument();
    const picture = await deps.files.put(Buffer.from('a slip whose transaction was never committed'));
    const film = await deps.files.put(Buffer.alloc(600_000, 'film'), 'video/mp4');
    const secrets = createSecrets('another secret that only tests know, 32 characters');
    const foreign = await createFiles({ ...deps, secrets }).put(Buffer.from('of another installation'));

    expect(await sweep(systemClock)).toBe(0);
    expect(await listed(deps.store)).toEqual(
      expect.arrayContaining([named, document, picture, film, foreign]),
    );
    expect(await sweep()).toBe(2);
    const left = await listed(deps.store);
    expect(left).toEqual(expect.arrayContaining([named, document, foreign]));
    expect(left).not.toContain(picture);
    expect(left).not.toContain(film);
    expect(await sweep()).toBe(0);
  });

  test('stay after a restore, until an operator has resumed payouts', async () => {
    const orphan = await deps.files.put(Buffer.from('a slip from after the restored moment'));
    await env.pool.query(
      "insert into payout_fence (timeline) values ('restored') on conflict (only_row) do update set timeline = excluded.timeline",
    );
    expect(await sweep()).toBe(0);
    await env.pool.query('update payout_fence set timeline = database_timeline()');
    expect(await sweep()).toBe(1);
    expect(await listed(deps.store)).not.toContain(orphan);
  });

  test('are all looked at by the hourly job within 64 hours', async () => {
    const orphans = await Promise.all(
      Array.from({ length: 6 }, (_, at) => deps.files.put(Buffer.from(`orphan ${at}`))),
    );
    for (let hour = 0; hour < 64; hour++) {
      const now = () => new Date(later.now().getTime() + hour * HOUR_MS);
      await fileJobs({ ...deps, pool: env.pool, clock: { ...later, now } }).tasks['files.sweep']!({});
    }
    const left = await listed(deps.store);
    expect(orphans.filter((key) => left.includes(key))).toEqual([]);
  });
});
