import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, feature } from './call-generator.ts';
import { ROOT } from './files.ts';
import { code, migrationIn, setting, text, withText } from './generators.ts';

/** Reads this repository, so that a generator whose places have moved fails here. */
const read = (path: string): string | undefined => {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};
const TEXTS = ['ไทย', 'ລາວ', 'English "quoted"'];

/** The lines a generator adds to a file. */
function added(files: Record<string, string>, path: string): string[] {
  const before = new Set(read(path)?.split('\n'));
  return files[path]!.split('\n').filter((line) => !before.has(line));
}

test('a text is inserted after the ids of its family that sort before it', () => {
  const entry = (id: string) => `#. js-lingui-explicit-id\nmsgid "${id}"\nmsgstr "x"`;
  const po = `${['msgid ""\nmsgstr ""', entry('a.b'), entry('a.d'), entry('b.a')].join('\n\n')}\n`;
  const ids = (file: string) => [...file.matchAll(/^msgid "(.+)"/gm)].map(([, id]) => id);
  expect(ids(withText(po, 'a.c', 'y'))).toEqual(['a.b', 'a.c', 'a.d', 'b.a']);
  expect(ids(withText(po, 'a.a', 'y'))).toEqual(['a.a', 'a.b', 'a.d', 'b.a']);
  expect(ids(withText(po, 'z.a', 'y'))).toEqual(['a.b', 'a.d', 'b.a', 'z.a']);
  expect(() => withText(po, 'a.b', 'y')).toThrow('a.b has a text already');
});

test('a text enters the three catalogues of its app, with quotes escaped', () => {
  const { files } = text.make(['web', 'withdraw.newText', ...TEXTS], read);
  expect(Object.keys(files)).toEqual(['th', 'la', 'en'].map((one) => `apps/web/src/locales/${one}.po`));
  expect(added(files, 'apps/web/src/locales/en.po')).toEqual([
    'msgid "withdraw.newText"',
    'msgstr "English \\"quoted\\""',
  ]);
  expect(() => text.make(['server', 'a.b', ...TEXTS], read)).toThrow('neither web nor console');
  expect(() => text.make(['web', 'a.b', 'ไทย'], read)).toThrow('Missing: Lao, English.');
});

test('a code of members has its kind and its texts in the member app', () => {
  const { files, next } = code.make(['NO_LUCK', ...TEXTS, '--kind=conflict'], read);
  expect(added(files, 'packages/contract/src/shared/codes.ts')).toEqual(["  'NO_LUCK',"]);
  expect(added(files, 'apps/server/src/platform/refusal.ts')).toEqual(["  NO_LUCK: 'conflict',"]);
  expect(added(files, 'apps/web/src/locales/th.po')[0]).toBe('msgid "error.NO_LUCK"');
  expect(next.join()).toContain('WAYS');
  expect(() => code.make(['NO_LUCK', ...TEXTS, '--kind=409'], read)).toThrow('409 is no kind: invalid, ');
  expect(() => code.make(['NO_WALLET', ...TEXTS], read)).toThrow('NO_WALLET is a code already.');
});

test('a code of operators is listed with theirs and has its texts in the console', () => {
  const { files } = code.make(['NO_SHIFT', ...TEXTS, '--operator'], read);
  const codes = files['packages/contract/src/shared/codes.ts']!;
  expect(codes.indexOf("'NO_SHIFT'")).toBeGreaterThan(codes.indexOf('OPERATOR_CODES'));
  expect(added(files, 'apps/server/src/platform/refusal.ts')).toEqual(["  NO_SHIFT: 'invalid',"]);
  expect(added(files, 'apps/console/src/locales/la.po')[0]).toBe('msgid "error.NO_SHIFT"');
});

test('a setting follows its family, with its name in the console', () => {
  const about = 'When an open QR code shows that it ends soon.';
  const { files } = setting.make(['qr.warnSeconds', '60', about, ...TEXTS], read);
  const table = files['apps/server/src/platform/settings.ts']!;
  expect(table).toMatch(/'qr\.\w+': [^\n]+\n {2}\/\*\* When an open [^\n]+\n {2}'qr\.warnSeconds': 60,\n/);
  expect(added(files, 'apps/console/src/locales/th.po')[0]).toBe('msgid "setting.qr.warnSeconds"');
  expect(() => setting.make(['qr.minutes', '1', about, ...TEXTS], read)).toThrow('a setting already');
  expect(() => setting.make(['qr.warn', '{}', about, ...TEXTS], read)).toThrow('baht(number)');
});

test('a call joins its group, the list of calls and the walk through all calls', () => {
  const { files } = call.make(['wallet', 'countReceipts', 'GET', '/api/wallet/receipts', 'Receipts'], read);
  expect(added(files, 'packages/contract/src/member/wallet.ts')).toContain(
    'export const countReceipts = call({',
  );
  expect(added(files, 'apps/server/src/calls.ts')).toEqual([
    "import { countReceiptsCall } from './features/wallet/count-receipts.ts';",
    '  countReceiptsCall(declare);',
  ]);
  expect(added(files, 'apps/server/src/api/contract.test.ts')).toEqual(["    await walk('countReceipts');"]);
  const handler = files['apps/server/src/features/wallet/count-receipts.ts'];
  expect(handler).toContain('declare(wallet.countReceipts, async () =>');
  expect(() => call.make(['wallet', 'readWallet', 'GET', '/api/x', 'x'], read)).toThrow('declared in');
  expect(() => call.make(['wallet', 'readIt', 'GET', '/api/{id}', 'x'], read)).toThrow('without parameters');
});

test('a feature is a group of its own with a first call', () => {
  const { files } = feature.make(['daily-prize', 'What the member won today'], read);
  expect(added(files, 'packages/contract/src/member/index.ts')).toEqual([
    "import * as dailyPrize from './daily-prize.ts';",
    '  dailyPrize,',
    '  typeof dailyPrize &',
  ]);
  expect(files['packages/contract/src/member/daily-prize.ts']).toContain("path: '/api/daily-prize'");
  expect(() => feature.make(['wallet', 'x'], read)).toThrow('is there already');
});

test('a migration has the next number', () => {
  const generator = migrationIn(['apps/server/database/0200_a/01-b.sql', 'apps/server/database/schema.sql']);
  const { files } = generator.make(['member_line_id', "Adds a member's LINE id."], read);
  expect(files).toEqual({
    'apps/server/database/0201_member_line_id.sql': "-- Adds a member's LINE id.\n",
  });
  expect(() => generator.make(['Member', 'x'], read)).toThrow('Member is not a name such as');
});
