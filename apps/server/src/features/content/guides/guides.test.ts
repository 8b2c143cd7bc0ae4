import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv } from '../../../testing/test-env.ts';
import { madeFilm, uploadFile } from '../testing-files.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const GUIDES = '/api/operator/guides';
const OWN = ['wallet', 'enter-game', 'check-balance', 'receive-bonus', 'end-bonus'];
const NOTHING = { th: '', la: '', en: '' };

const shown = async (language = 'TH') =>
  (await env.call('GET', '/api/howto', undefined, { headers: { cookie: `language=${language}` } })).body
    .guides;
async function change(as: TestOperator | null, name: string, to: object) {
  const admin = as ?? (await helpers.operator('admin'));
  const { guides } = (await helpers.call(admin, 'GET', GUIDES)).body;
  const { titles, video, isOpen, version } = guides.find((row: { name: string }) => row.name === name);
  const body = { titles, video: video?.id ?? null, isOpen, version, reason: 'as agreed', ...to };
  return helpers.call(as, 'PUT', `${GUIDES}/${name}`, body);
}

test('visitors are shown the five guides of the app until operators decide otherwise', async () => {
  expect(await shown()).toEqual(OWN.map((name) => ({ name, title: null, video: null })));
});

test('a guide gets another title and film, is removed, restored unchanged, and moved', async () => {
  const as = await helpers.operator('marketing');
  const { body: film } = await uploadFile(env, as, madeFilm(100));
  const titles = { th: 'เติมเงิน<b>', la: 'ຕື່ມເງິນ', en: '' };
  expect((await change(as, 'wallet', { titles, video: film.id })).status).toBe(200);
  const video = { path: film.path, type: 'video/mp4' };
  expect((await shown())[0]).toEqual({ name: 'wallet', title: 'เติมเงิน', video });
  expect((await shown('LA'))[0]).toEqual({ name: 'wallet', title: 'ຕື່ມເງິນ', video });
  expect((await shown('EN'))[0]).toEqual({ name: 'wallet', title: null, video });
  await change(as, 'wallet', { titles: NOTHING, video: null });
  expect((await shown())[0]).toEqual({ name: 'wallet', title: null, video: null });
  await change(as, 'end-bonus', { isOpen: false });
  const order = (names: string[]) => helpers.call(as, 'POST', '/api/operator/guide-order', { names });
  expect((await order(['end-bonus', 'enter-game', 'wallet', 'check-balance', 'receive-bonus'])).status).toBe(
    200,
  );
  expect((await shown()).map((row: { name: string }) => row.name)).toEqual([
    'enter-game',
    'wallet',
    'check-balance',
    'receive-bonus',
  ]);
  expect((await order(OWN.slice(1))).body).toMatchObject({ message: 'ROW_CHANGED' });
  expect((await helpers.audit('guide:wallet')).map((row) => row.action)).toEqual([
    'guide.change',
    'guide.change',
  ]);
});

test('missing sessions and permissions, late and invalid changes are refused', async () => {
  const [as, looker] = [await helpers.operator('admin'), await helpers.operator('auditor')];
  const responses = [
    await change(null, 'wallet', {}),
    await change(looker, 'wallet', {}),
    await change(as, 'wallet', { version: 99 }),
    await change(as, 'wallet', { video: 'AAAAAAAAAAAAAAAAAAAA' }),
    await change(as, 'wallet', { titles: { th: 'x' } }),
    await helpers.call(as, 'PUT', `${GUIDES}/nothing`, {
      ...{ titles: NOTHING, video: null, isOpen: true, version: 1 },
      reason: 'none',
    }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([401, 403, 409, 400, 400, 404]);
});
