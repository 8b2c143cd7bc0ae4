import { describe, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { VIEWS_MAX } from './queries.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const VIEWS = '/api/operator/views';

const namesFor = async (as: TestOperator): Promise<string[]> =>
  (await helpers.call(as, 'GET', VIEWS)).body.views.map((view: { name: string }) => view.name);
const save = (as: TestOperator, name: string, more: object = {}) =>
  helpers.call(as, 'POST', VIEWS, {
    pageName: 'withdrawals',
    name,
    address: 'status=REVIEW&sort=-amount&open=WD1&page=4',
    audience: 'me',
    ...more,
  });

describe('saved views', () => {
  test('keep filters, order and columns, but neither an open row nor a page', async () => {
    const finance = await helpers.operator('finance');
    await save(finance, 'mine');
    const { body } = await helpers.call(finance, 'GET', VIEWS);
    expect(body.views).toEqual([
      {
        id: expect.stringMatching(/^VW/),
        pageName: 'withdrawals',
        name: 'mine',
        address: 'status=REVIEW&sort=-amount',
        audience: 'me',
        owner: finance.name,
        mine: true,
        isDefault: false,
      },
    ]);
  });

  test('are seen by their owner, by their role or by all, as set, and only in pages the reader may read', async () => {
    const [owner, peer, risk, marketing] = await Promise.all(
      ['finance', 'finance', 'risk', 'marketing'].map((role) => helpers.operator(role)),
    );
    await save(owner!, 'only I', { audience: 'me' });
    await save(owner!, 'finance', { audience: 'role' });
    await save(owner!, 'everybody', { audience: 'all' });
    await save(owner!, 'lines', { audience: 'all', pageName: 'unmatched' });
    expect(await namesFor(owner!)).toEqual(['lines', 'everybody', 'finance', 'only I']);
    expect(await namesFor(peer!)).toEqual(['lines', 'everybody', 'finance']);
    expect(await namesFor(risk!)).toEqual(['everybody']);
    expect(await namesFor(marketing!)).toEqual([]);
  });

  test('of one name and page are one view: saved again, also at once, they are replaced', async () => {
    const owner = await helpers.operator('auditor');
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => save(owner, 'again', { address: `q=${at}` })),
    );
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    await save(owner, 'again', { address: 'q=last' });
    const { body } = await helpers.call(owner, 'GET', VIEWS);
    const own = body.views.filter((view: { mine: boolean }) => view.mine);
    expect(own).toMatchObject([{ name: 'again', address: 'q=last' }]);
    expect(await helpers.audit(`view:${own[0].id}`)).toHaveLength(11);
  });

  test('are at most a hundred of an operator, who sees them all, however many others share', async () => {
    const [owner, other] = [await helpers.operator('finance'), await helpers.operator('finance')];
    const insert = (as: TestOperator, audience: string, count: number) =>
      env.owner.query(
        `insert into console_view (id, operator_id, page_name, name, address, audience, saved_at)
         select 'VW' || id || '-' || n, id, 'withdrawals', 'full ' || n, '', $2, now()
         from operator, generate_series(1, $3) n where name = $1`,
        [as.name, audience, count],
      );
    await insert(other, 'all', 600);
    await insert(owner, 'me', VIEWS_MAX - 1);
    const added = await Promise.all(['one', 'two', 'three'].map((name) => save(owner, name)));
    const refused = added.filter(({ status }) => status !== 200);
    const full = { message: 'LIST_FULL', data: { max: VIEWS_MAX } };
    expect(refused.map(({ body }) => body)).toEqual([full, full]);
    expect((await save(owner, 'full 1', { address: 'q=new' })).status).toBe(200);
    const { views } = (await helpers.call(owner, 'GET', VIEWS)).body;
    expect(views.filter((view: { mine: boolean }) => view.mine)).toHaveLength(VIEWS_MAX);
    await env.owner.query("delete from console_view where name like 'full %'");
  });

  test('are removed by their owner alone, once', async () => {
    const [owner, other] = [await helpers.operator('finance'), await helpers.operator('finance')];
    const { body } = await save(owner, 'short-lived', { audience: 'all' });
    const remove = (as: TestOperator | null) => helpers.call(as, 'POST', `${VIEWS}/${body.id}/remove`, {});
    expect((await remove(null)).status).toBe(401);
    expect((await remove(other)).body.message).toBe('NO_DATA');
    expect((await remove(owner)).status).toBe(200);
    expect((await remove(owner)).body.message).toBe('NO_DATA');
  });

  test('of a page one may not read, of no page or without a name are refused', async () => {
    const marketing = await helpers.operator('marketing');
    expect((await save(marketing, 'x')).body.message).toBe('UNAUTHORIZED');
    for (const wrong of [{ pageName: 'chats' }, { name: '' }, { audience: 'everybody' }])
      expect((await save(marketing, 'x', wrong)).body.message).toBe('INVALID_REQUEST');
  });
});

test('operators who may read coupons and reports store views of them', async () => {
  const support = await helpers.operator('support');
  for (const [pageName, role] of [
    ['coupons', 'marketing'],
    ['figures', 'finance-lead'],
  ] as const) {
    const reader = await helpers.operator(role);
    expect((await save(reader, `my ${pageName}`, { pageName, address: 'report=costs' })).status).toBe(200);
    expect((await save(support, `my ${pageName}`, { pageName })).body.message).toBe('UNAUTHORIZED');
    const { body } = await helpers.call(reader, 'GET', VIEWS);
    expect(body.views).toContainEqual(
      expect.objectContaining({ pageName, address: 'report=costs', name: `my ${pageName}` }),
    );
  }
});

describe('the view a page opens with', () => {
  const choose = (as: TestOperator | null, id: string | null, pageName = 'withdrawals') =>
    helpers.call(as, 'POST', '/api/operator/default-view', { pageName, id });
  const defaultsOf = async (as: TestOperator): Promise<string[]> =>
    (await helpers.call(as, 'GET', VIEWS)).body.views
      .filter((view: { isDefault: boolean }) => view.isDefault)
      .map((view: { id: string }) => view.id);

  test('is one of each page and operator, own or shared, and can be none again', async () => {
    const [owner, peer] = [await helpers.operator('finance'), await helpers.operator('finance')];
    const { id: shared } = (await save(owner, 'shared', { audience: 'role' })).body;
    const { id: own } = (await save(owner, 'own')).body;
    const { id: lines } = (await save(owner, 'lines', { pageName: 'unmatched' })).body;
    for (const id of [own, shared]) expect((await choose(owner, id)).body).toEqual({ message: 'OK' });
    await choose(owner, lines, 'unmatched');
    expect(await defaultsOf(owner)).toEqual([lines, shared]);
    expect(await defaultsOf(peer)).toEqual([]);
    await choose(peer, shared);
    expect(await defaultsOf(peer)).toEqual([shared]);
    await choose(owner, null);
    expect(await defaultsOf(owner)).toEqual([lines]);
    expect(await defaultsOf(peer)).toEqual([shared]);
    const rows = await helpers.audit('room:withdrawals');
    const after = rows.filter(({ action }) => action === 'view.default').map((row) => row.after);
    expect(after).toEqual([
      { view: own, name: 'own' },
      { view: shared, name: 'shared' },
      { view: shared, name: 'shared' },
      { view: null, name: null },
    ]);
  });

  test('leaves columns and page size as they are, and they leave it', async () => {
    const owner = await helpers.operator('finance');
    const { id } = (await save(owner, 'own')).body;
    const body = { pageName: 'withdrawals', shown: ['amount'] };
    await helpers.call(owner, 'POST', '/api/operator/columns', body);
    await choose(owner, id);
    await helpers.call(owner, 'POST', '/api/operator/page-size', { pageName: 'withdrawals', size: 50 });
    const { columns } = (await helpers.call(owner, 'GET', VIEWS)).body;
    expect(columns).toEqual([{ ...body, pageSize: 50 }]);
    expect(await defaultsOf(owner)).toEqual([id]);
  });

  test('is refused where the view is another’s own, of another page, unknown, or the page not to be read', async () => {
    const [owner, peer, marketing] = await Promise.all(
      ['finance', 'finance', 'marketing'].map((role) => helpers.operator(role)),
    );
    const { id } = (await save(owner!, 'own')).body;
    const { id: shared } = (await save(owner!, 'shared', { audience: 'all' })).body;
    expect((await choose(null, id)).status).toBe(401);
    expect((await choose(peer!, id)).body.message).toBe('NO_DATA');
    expect((await choose(peer!, shared, 'deposits')).body.message).toBe('NO_DATA');
    expect((await choose(peer!, 'VW0')).body.message).toBe('NO_DATA');
    expect((await choose(marketing!, shared)).body.message).toBe('UNAUTHORIZED');
    expect(await defaultsOf(peer!)).toEqual([]);
  });

  test('is none while its view is not shared any more, and none after the view was removed', async () => {
    const [owner, peer] = [await helpers.operator('finance'), await helpers.operator('finance')];
    const { id } = (await save(owner, 'shared', { audience: 'all' })).body;
    for (const operator of [owner, peer]) await choose(operator, id);
    await save(owner, 'shared', { audience: 'me' });
    expect(await defaultsOf(peer)).toEqual([]);
    await save(owner, 'shared', { audience: 'all' });
    expect(await defaultsOf(peer)).toEqual([id]);
    expect((await helpers.call(owner, 'POST', `${VIEWS}/${id}/remove`, {})).status).toBe(200);
    expect(await defaultsOf(owner)).toEqual([]);
    const stored = 'select 1 from console_columns where operator_id = any($1) and default_view is not null';
    expect((await env.owner.query(stored, [[owner.id, peer.id]])).rows).toEqual([]);
  });

  test('chosen many times at once, also while its view is removed, is one of the chosen or none', async () => {
    const owner = await helpers.operator('finance');
    const ids = await Promise.all(['a', 'b'].map(async (name) => (await save(owner, name)).body.id));
    const chosen = await Promise.all(Array.from({ length: 10 }, (_, at) => choose(owner, ids[at % 2])));
    expect(chosen.map(({ status }) => status)).toEqual(chosen.map(() => 200));
    const [only] = await defaultsOf(owner);
    expect(ids).toContain(only);
    const [, ...raced] = await Promise.all([
      helpers.call(owner, 'POST', `${VIEWS}/${ids[0]}/remove`, {}),
      ...Array.from({ length: 6 }, () => choose(owner, ids[0])),
    ]);
    for (const { body } of raced) expect(['OK', 'NO_DATA']).toContain(body.message);
    expect(await defaultsOf(owner)).not.toContain(ids[0]);
  });
});

describe('chosen columns', () => {
  test('are the operator’s own, page by page; choosing none restores the page’s default', async () => {
    const [one, other] = [await helpers.operator('finance'), await helpers.operator('finance')];
    const choose = (shown: string[]) =>
      helpers.call(one, 'POST', '/api/operator/columns', { pageName: 'deposits', shown });
    const columns = async (as: TestOperator) => (await helpers.call(as, 'GET', VIEWS)).body.columns;
    await choose(['at', 'member']);
    await choose(['at', 'amount']);
    const stored = (shown: string[], pageSize: number | null) => [{ pageName: 'deposits', shown, pageSize }];
    expect(await columns(one)).toEqual(stored(['at', 'amount'], null));
    expect(await columns(other)).toEqual([]);
    const size = { pageName: 'deposits', size: 100 };
    expect((await helpers.call(one, 'POST', '/api/operator/page-size', size)).status).toBe(200);
    expect(await columns(one)).toEqual(stored(['at', 'amount'], 100));
    await choose([]);
    expect(await columns(one)).toEqual(stored([], 100));
    const wrong = { pageName: 'deposits', size: 30 };
    expect((await helpers.call(one, 'POST', '/api/operator/page-size', wrong)).body.message).toBe(
      'INVALID_REQUEST',
    );
    expect(await helpers.audit('room:deposits')).toHaveLength(4);
    const marketing = await helpers.operator('marketing');
    const foreign = { pageName: 'withdrawals', shown: [] };
    expect((await helpers.call(marketing, 'POST', '/api/operator/columns', foreign)).status).toBe(403);
  });
});

/** Lists with the names each may be sorted by, and where a row keeps that value. */
const SORTED: [path: string, list: string, sort: string, value: string][] = [
  ['withdrawals', 'withdrawals', 'createdAt', 'createdAt'],
  ['withdrawals', 'withdrawals', 'amount', 'amount'],
  ['deposits', 'deposits', 'createdAt', 'createdAt'],
  ['deposits', 'deposits', 'amount', 'amount'],
  ['unmatched', 'transactions', 'receivedAt', 'receivedAt'],
  ['unmatched', 'transactions', 'amount', 'amount'],
  ['members', 'members', 'name', 'name'],
  ['members', 'members', 'createdAt', 'createdAt'],
  ['audit', 'rows', 'at', 'id'],
];

describe('every list', () => {
  test('has the requested order, both ways, and rejects any other', async () => {
    const lead = await helpers.operator('finance-lead');
    const hour = (at: number) => new Date(Date.UTC(2026, 0, 1, at)).toISOString();
    for (const [at, amount] of [700n, 300n, 500n].entries()) {
      const member = await env.member({ amountMinor: amount * 1_000n });
      await env.owner.query('update member set name = $2 where id = $1', [member.id, `name ${amount}`]);
      await env.owner.query(
        `insert into bank_transaction (bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, received_at, state)
         values ('KBANK', $1, '1112223334', 'BAHT', $2, '004', 'x', $3, $4, $4, 'UNMATCHED')`,
        [`L${at}`, amount, env.app.deps.secrets.encrypt('payer', '{"account":"x","name":""}'), hour(at)],
      );
      const { body } = await helpers.call(lead, 'GET', '/api/operator/unmatched?sort=-receivedAt');
      const line = `/api/operator/unmatched/${body.transactions[0].id}`;
      await helpers.call(lead, 'POST', `${line}/claim`, {});
      if (at === 0)
        await helpers.call(lead, 'POST', `${line}/assign`, { member: String(member.id), reason: 'his' });
      await env.call('POST', '/api/wallet/withdraw', { amount: 120 + at }, { token: member.token });
    }
    for (const [path, list, sort, value] of SORTED) {
      const request = async (way: string) =>
        (await helpers.call(lead, 'GET', `/api/operator/${path}?limit=100&sort=${way}${sort}`)).body[
          list
        ].map((row: Record<string, unknown>) => (value === 'id' ? Number(row.id) : row[value]));
      const up = await request('');
      expect([path, sort, up.length > 0]).toEqual([path, sort, true]);
      expect([path, sort, up]).toEqual([
        path,
        sort,
        [...up].sort(typeof up[0] === 'number' ? (a, b) => a - b : undefined),
      ]);
      expect([path, sort, await request('-')]).toEqual([path, sort, up.toReversed()]);
    }
    for (const path of [
      'withdrawals',
      'deposits',
      'unmatched',
      'slips',
      'transfers',
      'members',
      'approvals',
      'audit',
    ])
      expect((await helpers.call(lead, 'GET', `/api/operator/${path}?sort=phone`)).body.message).toBe(
        'INVALID_REQUEST',
      );
  });
});
