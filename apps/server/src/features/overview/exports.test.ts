import { exports, PERMISSIONS } from '@krapao/contract/operator';
import { LANGUAGES } from '@krapao/contract/shared';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const lead = await helpers.operator('finance-lead');

const take = (path: string) => helpers.call(lead, 'GET', `/api/operator/export/${path}`);

/** The rows of a workbook's first sheet. */
async function sheetOf(path: string): Promise<unknown[][]> {
  const reply = await env.app.consoleHttp.inject({
    url: `/api/operator/export/${path}`,
    headers: { cookie: lead.cookie, host: 'localhost' },
  });
  expect(reply.statusCode).toBe(200);
  return (await readXlsx(reply.rawPayload)).sheets[0]!.rows;
}

const deposits = (count: number, prefix: string, memberId: bigint) =>
  env.owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     select $1 || i, $2, 'QR', 'KBANK', $1 || lpad(i::text, 12, '0'), 100 + i, false, i, timestamptz '2026-01-01' + i * interval '1 second'
     from generate_series(1, $3) i`,
    [prefix, memberId, count],
  );

describe('a list as a file', () => {
  test('has the rows of its filter in its order, and no others', async () => {
    const member = await env.member();
    await deposits(3, 'DPX', member.id);
    const { text, headers } = await take(`deposits.csv?q=${member.id}&sort=-amount`);
    const rows = text.trim().split('\r\n');
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(['DPX3', 'DPX2', 'DPX1']);
    expect(rows[1]).toContain(',1.03,BAHT,');
    expect(rows[1]).toContain('2026-01-01 07:00:03');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="deposits.csv"',
      'cache-control': 'no-store',
    });
    expect((await helpers.audit('export:deposits')).at(-1)).toMatchObject({
      actor: `operator:${lead.name}`,
      action: 'export',
      after: { format: 'csv', q: String(member.id), sort: '-amount' },
    });
  });

  test('as a workbook keeps Thai and leading zeros, numbers as numbers, times as times and formulas as words', async () => {
    const member = await env.member();
    await env.owner.query("update member set name = '=1+1 สมชาย ໃຈດີ' where id = $1", [member.id]);
    await deposits(1, '000', member.id);
    const [heads, row] = await sheetOf(`deposits.xlsx?q=${member.id}`);
    const cell = (name: string) => row![heads!.indexOf(name)];
    expect(cell('Name')).toBe('=1+1 สมชาย ໃຈດີ');
    expect(cell('Bank reference')).toBe('000000000000001');
    expect(cell('Amount')).toBe(1.01);
    // As Bangkok's clocks showed it, since spreadsheets know no time zones.
    expect(cell('Created (Bangkok time, UTC+7)')).toEqual(new Date('2026-01-01T07:00:01Z'));
    expect(cell('Taken back by no.') ?? null).toBeNull();
  });

  test('with no rows has its headings all the same', async () => {
    expect((await take('slips.csv?q=nobody')).text).toMatch(/^\uFEFFid,member_id,name,status.*\r\n$/);
    expect(await sheetOf('slips.xlsx?q=nobody')).toHaveLength(1);
  });

  test('needs leave to export and to read that page, a known format and known filters', async () => {
    const [finance, risk] = [await helpers.operator('finance'), await helpers.operator('risk')];
    const status = async (as: typeof lead | null, path: string) =>
      (await helpers.call(as, 'GET', `/api/operator/export/${path}`)).status;
    expect(await status(finance, 'audit.csv')).toBe(403);
    expect(await status(risk, 'audit.csv')).toBe(403);
    expect(await status(null, 'members.xlsx')).toBe(401);
    expect(await status(lead, 'members.pdf')).toBe(400);
    expect(await status(lead, 'members.csv?cursor=last')).toBe(400);
    expect(await status(lead, 'sessions.csv')).toBe(404);
    expect(await helpers.audit('export:members')).toEqual([]);
  });

  test.each(LANGUAGES)(
    'as a workbook has headings in %s for every column, and times name their zone',
    async (language) => {
      await env.owner.query("update operator_role set permissions = $1 where code = 'finance-lead'", [
        PERMISSIONS,
      ]);
      const paths = Object.values(exports).flatMap((call) => ('path' in call ? [call.path] : []));
      expect(paths.length).toBeGreaterThan(20);
      for (const path of paths) {
        const query = path.includes('codes') ? '&batch=none' : '';
        const name = path.slice('/api/operator/export/'.length).replace('{format}', 'xlsx');
        const [heads] = await sheetOf(`${name}?language=${language}${query}`);
        const columns = (await take(`${name.replace('xlsx', 'csv')}?language=${language}${query}`)).text
          .replace('\uFEFF', '')
          .split('\r\n')[0]!
          .split(',');
        expect(heads).toHaveLength(columns.length);
        for (const [at, column] of columns.entries()) {
          expect([name, heads![at]]).not.toEqual([name, column]);
          if (/(^|_)at$/.test(column)) expect(heads![at]).toContain('UTC+7');
        }
      }
    },
  );
});
