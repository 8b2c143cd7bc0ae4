import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { queryTypes } from '../../../tools/queries/query-types.ts';
import { testDatabase } from './testing.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');
const { config } = await testDatabase();

/** A project that sends its queries through a copy of `platform/database/db.ts`; each file is one function. */
async function inProject(
  files: Record<string, string>,
  work: (folder: string, config: string) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-queries-'));
  const database = join(folder, 'platform', 'database');
  try {
    mkdirSync(database, { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const name of ['db.ts', 'column-types.ts'])
      cpSync(join(import.meta.dirname, name), join(database, name));
    writeFileSync(join(database, 'queries.gen.ts'), 'export interface Queries {}\n');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const extended = {
      extends: join(ROOT, 'tsconfig.base.json'),
      include: ['**/*.ts'],
      exclude: ['node_modules'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(extended));
    for (const [name, body] of Object.entries(files))
      writeFileSync(
        join(folder, `${name}.ts`),
        `import type { Db } from './platform/database/db.ts';\nexport ${body}\n`,
      );
    await work(folder, join(folder, 'tsconfig.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the compiler says of a project. */
const compile = (path: string): Promise<string> =>
  promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', path]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );

const MEMBER = "'select name, phone, last_sync from member where id = $1'";
const read = (row: string) =>
  `const read = async (db: Db, id: bigint): Promise<${row}[]> => (await db.query(${MEMBER}, [id])).rows;`;

test('a row of another name, type or nullability than its query has does not compile', async () => {
  const files = {
    right: read('{ name: string; phone: string; last_sync: Date | null }'),
    name: read('{ nmae: string }'),
    type: read('{ phone: number }'),
    nullability: read('{ last_sync: Date }'),
    parameter: `const find = (db: Db) => db.query(${MEMBER}, [new Date()]);`,
    unknown: "const find = (db: Db) => db.query('select phone from member');",
    dynamic: "const find = (db: Db, column: string) => db.query('select ' + column + ' from member');",
  };
  await inProject(files, async (folder, path) => {
    for (const name of ['unknown', 'dynamic']) writeFileSync(join(folder, `${name}.ts`), 'export {};\n');
    const text = await queryTypes(config.owner, path, folder);
    expect(text).toContain(
      '{ row: { name: string; phone: string; last_sync: Date | null }; values: [Whole | null] }',
    );
    writeFileSync(join(folder, 'platform', 'database', 'queries.gen.ts'), text);
    for (const name of ['unknown', 'dynamic'] as const)
      writeFileSync(
        join(folder, `${name}.ts`),
        `import type { Db } from './platform/database/db.ts';\nexport ${files[name]}\n`,
      );
    const output = await compile(path);
    expect(output).not.toContain('right.ts');
    expect(output).toMatch(/name\.ts\(.*Property 'nmae' is missing in type '\{ name: string;/s);
    expect(output).toMatch(/type\.ts\(.*Types of property 'phone' are incompatible/s);
    expect(output).toMatch(/nullability\.ts\(.*Types of property 'last_sync' are incompatible/s);
    expect(output).toMatch(/parameter\.ts\(.*Type 'Date' is not assignable to type 'Whole/s);
    expect(output).toMatch(/unknown\.ts\(.*This text is not in queries\.gen\.ts: run npm run fix\./s);
    expect(output).toMatch(/dynamic\.ts\(.*The compiler must know the text/s);
  });
});

test('a query that PostgreSQL refuses, or whose text the compiler does not know, is named with what to do', async () => {
  const files = {
    column: "const find = (db: Db) => db.query('select nmae from member');",
    dynamic: "const find = (db: Db, column: string) => db.query('select ' + column + ' from member');",
    claim: "const find = (db: Db) => db.query('select phone /* never null */ from member');",
  };
  await inProject(files, async (folder, path) => {
    const faults = (await queryTypes(config.owner, path, folder).catch((error: Error) => error)).toString();
    expect(faults).toContain(
      'column.ts:2: PostgreSQL refuses this query at "nmae from member": column "nmae" does not exist.',
    );
    expect(faults).toContain(
      'dynamic.ts:2: the compiler does not know the text of this query. Write it in place',
    );
    expect(faults).toContain(
      'claim.ts:2: PostgreSQL refuses this query: "phone" is not null without the comment',
    );
  });
});

test('what joins, conditions, aggregates and JSON make of columns is known', async () => {
  const rows: Record<string, string> = {
    'select b.name_en from member m left join bank b on b.code = m.name': '{ name_en: string | null }',
    'select b.name_en from member m left join bank b on b.code = m.name where b.color is not null':
      '{ name_en: string }',
    "select state from coupon where state in ('OPEN', 'CLAIMED')": "{ state: 'OPEN' | 'CLAIMED' }",
    'select max(id) as newest, count(*) as all from member': '{ newest: bigint | null; all: bigint }',
    'select currency, max(id) as newest from member group by currency':
      "{ currency: 'BAHT' | 'LAK'; newest: bigint }",
    "select json_build_object('id', id, 'at', last_sync) as one from member":
      '{ one: { "id": number; "at": string | null } }',
    'with gone as (delete from coupon returning id, ended_at) select * from gone':
      '{ id: string; ended_at: Date | null }',
    'select name from member union all select null': '{ name: string | null }',
    'select u.id from unnest($1::bigint[]) u(id)': '{ id: bigint }',
    'select array(select last_sync from member) as times': '{ times: (Date | null)[] }',
  };
  const files = Object.fromEntries(
    Object.keys(rows).map((text, index) => [
      `query${index}`,
      `const find = (db: Db) => db.query(${JSON.stringify(text)});`,
    ]),
  );
  await inProject(files, async (folder, path) => {
    const text = await queryTypes(config.owner, path, folder);
    for (const row of Object.values(rows)) expect(text).toContain(`{ row: ${row}; values:`);
  });
});
