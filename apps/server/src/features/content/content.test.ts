import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const CONTENT = '/api/operator/content';

const look = async (name: string, language = 'TH') =>
  (
    await env.call('GET', `/api/lookup/${name}`, undefined, {
      headers: { cookie: `language=${language}` },
    })
  ).body;
const each = (fields: object) => ({ th: fields, la: fields, en: fields });

async function publish(as: TestOperator, key: string, words: object) {
  const { body: list } = await helpers.call(as, 'GET', CONTENT);
  const after = list.content.find((row: { key: string }) => row.key === key).draft?.id ?? null;
  const draft = await helpers.call(as, 'PUT', `${CONTENT}/${key}/draft`, { words, after });
  if (draft.status !== 200) return draft;
  return helpers.call(as, 'POST', `${CONTENT}/${key}/publish`, { draft: draft.body.id, reason: 'news' });
}

/** Texts with every known way to smuggle a script in; none may leave more than words. */
const HOSTILE = [
  '<script>steal()</script>',
  '<img src=x onerror=steal()>',
  '<svg><script>steal()</script></svg>',
  '<svg/onload=steal()>',
  '<math><mtext><table><mglyph><style><img src=x onerror=steal()>',
  '<a href="javascript:steal()">ก</a>',
  '<a href="java\tscript:steal()">ก</a>',
  '<a href="&#106;avascript:steal()">ก</a>',
  '<a href="data:text/html,<script>steal()</script>">ก</a>',
  '<a href="//evil.example">ก</a>',
  '<a href="vbscript:steal()">ก</a>',
  '<p onmouseover="steal()" style="background:url(javascript:steal())">ก</p>',
  '<iframe srcdoc="<script>steal()</script>"></iframe>',
  '<object data="javascript:steal()"></object><embed src="javascript:steal()">',
  '<form action="javascript:steal()"><button formaction="javascript:steal()">ก</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:steal()">',
  '<base href="https://evil.example/">',
  '<noscript><p title="</noscript><img src=x onerror=steal()>"></noscript>',
  '<template><script>steal()</script></template>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<scr<script>ipt>steal()</scr</script>ipt>',
  '<!--><script>steal()</script-->',
];
const LIVE =
  /<(?!\/?(?:a|b|blockquote|br|em|h3|h4|hr|i|li|ol|p|span|strong|u|ul)\b)|\son\w+=|javascript:|vbscript:|data:|evil\.example|style=/i;

describe('content', () => {
  test('is drafted, then published in three languages, and members have it at once', async () => {
    const admin = await helpers.operator('marketing');
    const words = { th: { notice: 'ใหม่' }, la: { notice: 'ໃໝ່' }, en: { notice: 'New' } };
    const before = await look('notice');
    const draft = await helpers.call(admin, 'PUT', `${CONTENT}/notice/draft`, { words, after: null });
    expect([draft.status, draft.body.words]).toEqual([200, words]);
    expect(await look('notice')).toEqual(before);
    const order = { draft: draft.body.id, reason: 'songkran' };
    expect((await helpers.call(admin, 'POST', `${CONTENT}/notice/publish`, order)).body).toEqual({
      revision: 2,
    });
    expect([await look('notice'), await look('notice', 'LA'), await look('notice', 'EN')]).toEqual([
      { notice: 'ใหม่' },
      { notice: 'ໃໝ່' },
      { notice: 'New' },
    ]);
    expect((await helpers.audit('content:notice')).map((row) => [row.action, row.reason])).toEqual([
      ['content.draft', null],
      ['content.publish', 'songkran'],
    ]);
  });

  test('goes back to an earlier revision as a new one', async () => {
    const admin = await helpers.operator('admin');
    await publish(admin, 'conditions', each({ parts: ['<p>one</p>'] }));
    await publish(admin, 'conditions', each({ parts: ['<p>two</p>'] }));
    const { body } = await helpers.call(admin, 'GET', `${CONTENT}/conditions/revisions`);
    const [newest, earlier] = body.revisions;
    const revert = (now: number) =>
      helpers.call(admin, 'POST', `${CONTENT}/conditions/revert`, {
        revision: earlier.revision,
        now,
        reason: 'was right',
      });
    expect((await revert(newest.revision - 1)).body).toMatchObject({ message: 'ROW_CHANGED' });
    expect((await revert(newest.revision)).body).toEqual({ revision: newest.revision + 1 });
    expect(await look('conditions')).toEqual({ conditions: ['<p>one</p>'] });
    const again = await helpers.call(admin, 'GET', `${CONTENT}/conditions/revisions`);
    expect(again.body.revisions[0]).toMatchObject({ reverts: earlier.revision, reason: 'was right' });
    expect(again.body.revisions).toHaveLength(body.revisions.length + 1);
    const unknown = { revision: 999, now: newest.revision + 1, reason: 'was right' };
    for (const revision of [1e308, 2_147_483_648])
      expect(
        await helpers.call(admin, 'POST', `${CONTENT}/conditions/revert`, { ...unknown, revision }),
      ).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
    expect(await helpers.call(admin, 'POST', `${CONTENT}/conditions/revert`, unknown)).toMatchObject({
      status: 404,
    });
  });

  test('rejects the later of two concurrent writes', async () => {
    const [one, two] = [await helpers.operator('admin'), await helpers.operator('marketing')];
    const words = each({ parts: ['<p>a</p>'] });
    const save = (as: TestOperator, after: string | null) =>
      helpers.call(as, 'PUT', `${CONTENT}/agreements/draft`, { words, after });
    const responses = await Promise.all([save(one, null), save(two, null)]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 409]);
    const { id } = responses.find((response) => response.status === 200)!.body;
    const twice = await Promise.all(
      [one, two].map((as) =>
        helpers.call(as, 'POST', `${CONTENT}/agreements/publish`, { draft: id, reason: 'new terms' }),
      ),
    );
    expect(twice.map((response) => response.status).toSorted()).toEqual([200, 409]);
    const gone = await helpers.call(one, 'POST', `${CONTENT}/agreements/discard`, { draft: id });
    expect(gone.body).toMatchObject({ message: 'ROW_CHANGED' });
  });

  test('new agreements have a new number, and members must accept again', async () => {
    const admin = await helpers.operator('admin');
    const { agreement } = await look('info');
    await publish(admin, 'agreements', each({ parts: ['<p>new terms</p>'] }));
    expect((await look('info')).agreement).toBe(agreement + 1);
    expect(await look('agreements')).toEqual(['<p>new terms</p>']);
  });

  test('agreements are not published, nor brought back, with an empty language: members would accept nothing', async () => {
    const admin = await helpers.operator('admin');
    const { agreement } = await look('info');
    const shown = await look('agreements');
    for (const empty of [[], ['<p> </p>', '<p>&nbsp;</p>']]) {
      const words = { ...each({ parts: ['<p>newest terms</p>'] }), la: { parts: empty } };
      expect(await publish(admin, 'agreements', words)).toMatchObject({
        status: 400,
        body: { message: 'INVALID_REQUEST', data: { field: 'la' } },
      });
    }
    await env.owner.query(
      `update content_revision set words = jsonb_set(words, '{en}', '[]') where key = 'agreements' and revision = 1`,
    );
    const path = `${CONTENT}/agreements/revert`;
    const back = { revision: 1, now: agreement, reason: 'was right' };
    expect((await helpers.call(admin, 'POST', path, back)).body).toMatchObject({ data: { field: 'en' } });
    expect([(await look('info')).agreement, await look('agreements')]).toEqual([agreement, shown]);
  });

  test('written in the language of the country only is shown to readers of the others too', async () => {
    const admin = await helpers.operator('admin');
    const thai = (fields: object, empty: object) => ({ th: fields, la: empty, en: {} });
    await publish(admin, 'conditions', thai({ parts: ['<p>ไทย</p>'] }, { parts: ['<p></p>'] }));
    await publish(admin, 'help', { ...each({}), la: { parts: ['<p>ລາວ</p>'] } });
    await publish(admin, 'notice', thai({ notice: 'ข่าว' }, { notice: ' ' }));
    await publish(admin, 'contact', thai({ contactText: 'โทร', lineName: '@us' }, { contactText: '' }));
    for (const language of ['TH', 'LA', 'EN']) {
      expect(await look('conditions', language)).toEqual({ conditions: ['<p>ไทย</p>'] });
      expect(await look('notice', language)).toEqual({ notice: 'ข่าว' });
      expect(await look('contact', language)).toMatchObject({ contactText: 'โทร', lineName: '@us' });
    }
    const help = async (language: string) =>
      (await env.call('GET', '/api/help', undefined, { headers: { cookie: `language=${language}` } })).body;
    expect([await help('TH'), await help('LA'), await help('EN')]).toEqual([
      { help: [] },
      { help: ['<p>ລາວ</p>'] },
      { help: [] },
    ]);
  });

  test('keeps no script, handler, frame or dangerous address, stored or shown', async () => {
    const admin = await helpers.operator('admin');
    await publish(admin, 'conditions', each({ parts: HOSTILE.map((text) => `${text}<p>คำ</p>`) }));
    const { rows } = await env.owner.query("select body::text from content where key = 'conditions'");
    for (const text of [...(await look('conditions')).conditions, ...rows.map((row) => row.body)])
      expect(text).not.toMatch(LIVE);
    await publish(
      admin,
      'contact',
      each({ contactText: `โทร 5 < 6 & 7 ${HOSTILE.join('')}`, lineName: '<b>@us</b>', lineLink: '' }),
    );
    const contact = await look('contact');
    expect(contact.contactText).not.toMatch(/<[a-z/!]/i);
    expect(contact).toMatchObject({ lineName: '@us', lineQR: '' });
    expect(contact.contactText).toMatch(/^โทร 5 < 6 & 7/);
  });

  test('that was written to the database directly is cleaned when it is shown', async () => {
    await env.owner.query(
      `update content set body = to_jsonb('<b>ก</b><script>steal()</script>'::text) where key = 'notice' and language = 'th'`,
    );
    expect(await look('notice')).toEqual({ notice: '<b>ก</b>' });
  });

  test.each([
    ['info', { name: '', website: '' }],
    ['info', { name: 'x', website: 'javascript:steal()' }],
    ['info', { name: 'x', website: 'http://plain.example' }],
    ['contact', { lineLink: 'line.me/x' }],
    ['contact', { picture: '../x' }],
  ])('%s refuses %j', async (key, fields) => {
    const response = await publish(await helpers.operator('admin'), key, each(fields));
    expect(response).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
  });

  test('name and website reach the top bar, the chat app its picture', async () => {
    const admin = await helpers.operator('admin');
    await publish(admin, 'info', each({ name: 'กระเป๋าทอง', website: 'https://gold.example' }));
    expect(await look('info')).toMatchObject({ name: 'กระเป๋าทอง', website: 'https://gold.example' });
    const png = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#123456' } })
      .withExif({ IFD0: { Copyright: 'hidden words' } })
      .png()
      .toBuffer();
    const stored = await helpers.call(admin, 'POST', '/api/operator/content-picture', {
      picture: png.toString('base64'),
    });
    expect(stored.status).toBe(200);
    await publish(admin, 'contact', each({ lineName: '@us', picture: stored.body.id }));
    const { lineQR } = await look('contact');
    expect(lineQR).toBe(stored.body.address);
    const jpeg = Buffer.from(lineQR.split(',')[1], 'base64');
    expect((await sharp(jpeg).metadata()).format).toBe('jpeg');
    expect(jpeg.includes('hidden words')).toBe(false);
    const { body } = await helpers.call(admin, 'GET', CONTENT);
    expect(body.pictures).toEqual([stored.body]);
  });

  test('what is no picture is refused', async () => {
    const admin = await helpers.operator('admin');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="steal()"/>');
    for (const bytes of [svg, Buffer.from('nothing')])
      expect(
        await helpers.call(admin, 'POST', '/api/operator/content-picture', {
          picture: bytes.toString('base64'),
        }),
      ).toMatchObject({ status: 400, body: { message: 'IMAGE_UNPROCESSABLE' } });
  });
});

describe('what the registration form offers', () => {
  const SOURCES = '/api/operator/sources';

  test('a source is added, named again, put in front and switched off', async () => {
    const as = await helpers.operator('marketing');
    const save = (isOpen: boolean) =>
      helpers.call(as, 'PUT', `${SOURCES}/radio`, {
        th: 'วิทยุ',
        la: 'ວິທະຍຸ',
        en: '<b>Radio</b>',
        isOpen,
        reason: 'campaign',
      });
    await save(true);
    const codes = async () => (await look('sources', 'EN')).map((row: { code: string }) => row.code);
    const { body } = await helpers.call(as, 'GET', '/api/operator/choices');
    const all: string[] = body.sources.map((row: { code: string }) => row.code);
    expect([all.at(-1), await look('sources', 'EN')]).toEqual([
      'radio',
      expect.arrayContaining([{ code: 'radio', description: 'Radio' }]),
    ]);
    const order = (list: string[]) => helpers.call(as, 'POST', `${SOURCES}/order`, { codes: list });
    expect((await order(['radio'])).body).toMatchObject({ message: 'ROW_CHANGED' });
    await order(['radio', ...all.slice(0, -1)]);
    expect((await codes())[0]).toBe('radio');
    await save(false);
    expect(await codes()).not.toContain('radio');
    expect((await helpers.audit('source:radio')).map((row) => row.action)).toEqual([
      'source.change',
      'source.change',
    ]);
  });

  test('one that another operator has changed meanwhile is not overwritten, nor one that exists by adding it', async () => {
    const as = await helpers.operator('marketing');
    const { body } = await helpers.call(as, 'GET', '/api/operator/choices');
    const { code, ...seen } = body.banks.find((row: { code: string }) => row.code === 'UOB');
    const save = (change: object, was?: object | null) =>
      helpers.call(as, 'PUT', `/api/operator/banks/${code}`, {
        ...seen,
        ...change,
        reason: 'as agreed',
        seen: was,
      });
    expect((await save({ isOpen: false }, seen)).status).toBe(200);
    expect((await save({ en: 'United Overseas' }, seen)).body.message).toBe('ROW_CHANGED');
    expect((await save({ en: 'New' }, null)).body.message).toBe('ROW_CHANGED');
    const source = { th: 'ก', la: 'ກ', en: 'a', isOpen: true };
    const add = () =>
      helpers.call(as, 'PUT', `${SOURCES}/poster`, { ...source, reason: 'campaign', seen: null });
    expect([(await add()).status, (await add()).body.message]).toEqual([200, 'ROW_CHANGED']);
    expect((await save({})).status).toBe(200);
  });

  test('a Thai bank that gets another name has its old Lao name no more; a Lao bank is named as it is written', async () => {
    const lao = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
    const ofLao = operatorHelpers(lao);
    const cases = [
      { of: env, by: helpers, code: 'BAY', to: { local: 'ธนาคารกรุงศรี', en: 'Krungsri' }, lao: undefined },
      { of: lao, by: ofLao, code: 'LDB', to: { local: 'ທະນາຄານໃໝ່', en: 'New Bank' }, lao: 'ທະນາຄານໃໝ່' },
      { of: lao, by: ofLao, code: 'NEXT', to: { local: 'ທະນາຄານອື່ນ', en: 'Next' }, lao: 'ທະນາຄານອື່ນ' },
    ];
    for (const { of, by, code, to, lao: named } of cases) {
      const as = await by.operator('marketing');
      const bank = { ...to, color: null, isOpen: true, reason: 'another name' };
      const shown = async () =>
        (await of.call('GET', '/api/lookup/banks')).body.find((row: { code: string }) => row.code === code);
      const save = (change: object) =>
        by.call(as, 'PUT', `/api/operator/banks/${code}`, { ...bank, ...change });
      if (code !== 'NEXT') {
        const { nameTH: local, nameEN: en, nameLA } = await shown();
        // Another colour alone takes no name.
        expect((await save({ local, en, color: '#123456' })).status).toBe(200);
        expect((await shown()).nameLA).toBe(nameLA);
      }
      expect((await save({})).status).toBe(200);
      expect(await shown()).toMatchObject({ nameTH: to.local, nameEN: to.en });
      expect((await shown()).nameLA).toBe(named);
    }
  });

  test('a bank that is switched off can no longer be registered', async () => {
    const as = await helpers.operator('marketing');
    const { body } = await helpers.call(as, 'GET', '/api/operator/choices');
    const { code, ...bank } = body.banks.find((row: { code: string }) => row.code === 'TISCO');
    await helpers.call(as, 'PUT', `/api/operator/banks/${code}`, {
      ...bank,
      isOpen: false,
      reason: 'left us',
    });
    expect((await look('banks')).map((row: { code: string }) => row.code)).not.toContain('TISCO');
    const foreign = { local: 'x', en: 'x', color: null, isOpen: true, reason: 'mistake' };
    expect((await helpers.call(as, 'PUT', '/api/operator/banks/BCEL', foreign)).body).toMatchObject({
      message: 'INVALID_REQUEST',
    });
  });
});
