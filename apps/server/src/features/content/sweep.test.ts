import { HOUR_MS } from '@krapao/contract/durations';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { WRITTEN } from '../bonuses/testing-bonuses.ts';
import { pushedClock } from '../testing.ts';
import { madeFilm, uploadFile } from './testing-files.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = operatorHelpers(env);
const reason = 'for a test';

const png = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#0b5d4e' } })
    .png()
    .toBuffer();
const upload = async (as: TestOperator, bytes?: Buffer) =>
  (await uploadFile(env, as, bytes ?? (await png()))).body as { id: string; path: string };
const statuses = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await fetch(`${env.url}${path}`)).status));
const sweep = () => env.app.runJob('uploads.sweep');
const each = (fields: object) => ({ th: fields, la: fields, en: fields });
const banner = (picture: string) => ({
  place: 'home',
  words: each({ title: 'ก', html: '', picture }),
  link: '',
  isOpen: true,
  startsAt: null,
  endsAt: null,
  reason,
});
const add = (as: TestOperator, picture: string) =>
  helpers.call(as, 'POST', '/api/operator/banners', banner(picture));
const draft = (as: TestOperator, picture: string, after: string | null) =>
  helpers.call(as, 'PUT', '/api/operator/content/contact/draft', {
    words: each({ contactText: 'ก', lineName: '@us', lineLink: '', picture }),
    after,
  });

test('deletes uploads a day after their last use ended', async () => {
  const as = await helpers.operator('admin');
  const [shown, replaced, waiting, lost] = [
    await upload(as),
    await upload(as),
    await upload(as),
    await upload(as),
  ];
  const [film, cut] = [await upload(as, madeFilm(800_000)), await upload(as, madeFilm(600_000))];
  const keepPicture = async (): Promise<string> =>
    (
      await helpers.call(as, 'POST', '/api/operator/content-picture', {
        picture: (await png()).toString('base64'),
      })
    ).body.id;
  const [logo, next, stray] = [await keepPicture(), await keepPicture(), await keepPicture()];
  await add(as, shown.id);
  const { body: other } = await add(as, replaced.id);
  const { body: guides } = await helpers.call(as, 'GET', '/api/operator/guides');
  const { name, titles, isOpen, version } = guides.guides[0];
  const guide = { titles, video: film.id, isOpen, version, reason };
  expect((await helpers.call(as, 'PUT', `/api/operator/guides/${name}`, guide)).status).toBe(200);
  const terms = {
    ...WRITTEN,
    code: 'PICTURED',
    banners: [{ image: waiting.path, html: { th: 'ก', la: 'ກ', en: 'a' } }],
  };
  const requested = await helpers.call(await helpers.operator('marketing'), 'POST', '/api/operator/bonuses', {
    terms,
    version: 0,
    reason,
  });
  expect(requested.body.approval).toEqual(expect.any(String));
  const { body: written } = await draft(as, logo, null);
  await helpers.call(as, 'POST', '/api/operator/content/contact/publish', { draft: written.id, reason });
  const { body: second } = await draft(as, next, null);
  await helpers.call(as, 'POST', '/api/operator/content/contact/publish', { draft: second.id, reason });

  await sweep();
  clock.push(20 * HOUR_MS);
  const later = await helpers.operator('admin');
  const put = { ...banner(shown.id), version: 1 };
  const { place: _, ...words } = put;
  expect((await helpers.call(later, 'PUT', `/api/operator/banners/${other.id}`, words)).status).toBe(200);
  await sweep();
  expect(await statuses([replaced.path, lost.path, cut.path])).toEqual([200, 200, 200]);
  clock.push(5 * HOUR_MS);
  await sweep();
  // A day after it was seen to be unused, not after it was uploaded.
  expect(await statuses([replaced.path, lost.path, cut.path])).toEqual([200, 404, 404]);
  clock.push(24 * HOUR_MS);
  await sweep();
  await sweep();
  expect(await statuses([replaced.path, shown.path, waiting.path, film.path])).toEqual([404, 200, 200, 200]);
  const rest = async (sql: string) => (await env.owner.query(sql)).rows.map((row) => row.id);
  // What an earlier revision shows can be brought back.
  expect((await rest('select id from content_picture')).toSorted()).toEqual([logo, next].toSorted());
  expect(await rest('select file_id as id from content_file_part where part = 1')).toEqual([film.id]);
  const admin = await helpers.operator('admin');
  expect((await add(admin, lost.id)).body).toMatchObject({ message: 'INVALID_REQUEST' });
  expect((await draft(admin, stray, null)).body).toMatchObject({ message: 'INVALID_REQUEST' });
});

test('an upload put to use while it is being forgotten is either there or refused', async () => {
  const first = await helpers.operator('admin');
  const files = await Promise.all(Array.from({ length: 12 }, () => upload(first)));
  await sweep();
  clock.push(25 * HOUR_MS);
  const as = await helpers.operator('admin');
  const [responses] = await Promise.all([Promise.all(files.map(({ id }) => add(as, id))), sweep(), sweep()]);
  await sweep();
  expect(responses.map(({ status }) => (status === 200 ? 200 : 404))).toEqual(
    await statuses(files.map(({ path }) => path)),
  );
});
