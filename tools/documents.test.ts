import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALERT_KINDS, type Permission } from '@krapao/contract/operator';
import { describe, expect, test } from 'vitest';
import { CALLS } from '../apps/sandbox/src/environment/faults.ts';
import { AGENTS } from '../apps/sandbox/src/games/agents.ts';
import { refuseRealPartners } from '../apps/sandbox/src/settings.ts';
import { ROLES } from '../apps/server/src/api/testing-roles.ts';
import { ENVIRONMENT } from '../apps/server/src/platform/config.ts';
import { ROOT } from './lib/files.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** The text below a heading, up to the next one. */
const chapterOf = (path: string, heading: string): string =>
  read(path).split(`\n${heading}\n`)[1]!.split(/\n#+ /)[0]!;
/** The cells of a chapter's table rows. */
const rowsOf = (chapter: string): string[][] =>
  [...chapter.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split(' | '));

test('each kind of alert has a row that says what to do', () => {
  const rows = rowsOf(chapterOf('docs/operate.md', '## When something is wrong'));
  const named = rows.flatMap(([seen = '', meaning = '']) =>
    /\balert `/.test(seen) && meaning ? [...seen.matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind) : [],
  );
  expect(named.toSorted()).toEqual(Object.keys(ALERT_KINDS).toSorted());
});

/** How the table of roles names permissions; the auditor, who sees everything, is apart. */
const WORDING: Partial<Record<Permission, string>> = {
  'member.kyc': 'identity documents',
  'member.reveal': 'full numbers',
  'member.note': 'notes',
  'chat.read': 'conversations',
  'chat.manage': 'keep replies ready',
  'risk.manage': 'risk score',
  'alert.close': 'handle alerts',
  'audit.read': 'audit trail',
  'export.read': 'export',
  'figures.read': 'reports',
  'entry.make': 'manual entries',
  'content.manage': 'content',
  'webhook.read': 'webhooks',
};

test('the table of roles names what each role may do', () => {
  const rows = Object.fromEntries(
    rowsOf(chapterOf('docs/operate.md', '### Roles')).map(([role, may]) => [role, may]),
  );
  for (const [role, permissions] of Object.entries(ROLES)) {
    if (role === 'auditor') continue;
    const may = (rows[role] ?? '').replace('the same', rows.finance ?? '');
    for (const [permission, words] of Object.entries(WORDING))
      expect([role, permission, may.includes(words)]).toEqual([
        role,
        permission,
        permissions.includes(permission as Permission),
      ]);
  }
});

describe('the document of the sandbox', () => {
  const sandbox = read('docs/sandbox.md');

  test('names each call that a fault may strike', () => {
    const actions = ['settle-payout', 'confirmation', 'callback', 'deliver'];
    const listed = /^Calls: (.*)\.$/m
      .exec(sandbox)![1]!
      .split('; ')
      .flatMap((part) => {
        const [parties = '', calls = ''] = part.split(/ (?=`)(.*)/);
        return parties
          .split(' and ')
          .map((party) => [party, [...calls.matchAll(/`([\w-]+)`/g)].map(([, call]) => call)]);
      });
    const known = Object.entries(CALLS).map(([party, calls]) => [
      party,
      calls.filter((call) => !actions.includes(call)),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
    for (const action of actions) expect(sandbox).toMatch(new RegExp(`^\\|.*\`${action}\`.*\\|$`, 'm'));
  });

  test('names each agent in the chapter of its dialect', () => {
    for (const [agent, { style }] of Object.entries(AGENTS))
      expect(sandbox.split(`### Games, style ${style}`)[1]!.split('\n#')[0]).toContain(`\`${agent}\``);
  });

  test('names each partner address that keeps it from starting', () => {
    // PUSH_URL is the sandbox's own.
    const addresses = Object.entries(ENVIRONMENT).filter(
      ([name, { fallback }]) => /_URL$/.test(name) && name !== 'PUSH_URL' && fallback.includes('/outside/'),
    );
    const start = sandbox.split('\n## ')[0]!;
    expect(addresses.length).toBeGreaterThan(5);
    for (const [name] of addresses) {
      expect(() => refuseRealPartners({ [name]: 'https://partner.example' })).toThrow(name);
      expect(start).toContain(`\`${name}\``);
    }
  });
});

test('a decision that another changed or replaced names it, in its status and in the index', () => {
  const texts = new Map(
    readdirSync(join(ROOT, 'docs/decisions'))
      .filter((name) => /^\d{4}-/.test(name))
      .map((name) => [Number(name.slice(0, 4)), read(`docs/decisions/${name}`)]),
  );
  const statusOf = (text = '') => /^Status: .*$/m.exec(text)?.[0] ?? '';
  const rows = new Map(
    [...read('docs/decisions/README.md').matchAll(/^\| \[(\d+)\].*$/gm)].map(([row, id]) => [
      Number(id),
      row,
    ]),
  );
  const unnamed = [...texts].flatMap(([id, text]) =>
    [...statusOf(text).matchAll(/\b(?:changes|replaces) ([^.;]*)/gi)].flatMap(([, others = '']) =>
      [...others.matchAll(/\[(\d+)\]/g)]
        .map(([, other]) => Number(other))
        .filter((other) =>
          [statusOf(texts.get(other)), rows.get(other)].some((note) => !note?.includes(`[${id}](`)),
        )
        .map((other) => `${other} does not name ${id}`),
    ),
  );
  expect(unnamed).toEqual([]);
});
