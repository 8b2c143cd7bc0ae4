/** Stops the gate when the three catalogues disagree with each other, with the code, or with the list of codes. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PERMISSIONS } from '@krapao/contract/operator';
import { LANGUAGES, type Language, OPERATOR_CODES } from '@krapao/contract/shared';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { readPo } from './catalogues.ts';

const root = path.join(import.meta.dirname, '../src');
/** Families whose ids the code puts together: t(`state.${state}`). */
const BUILT = [
  'error.',
  'state.',
  'action.',
  'time.',
  'nav.',
  'alert.',
  'alerts.',
  'category.',
  'type.',
  'perm.',
  'role.',
  'table.',
  'mismatch.',
  'views.',
  'export.',
  'new.',
  'withdrawals.done-',
  'withdrawals.older-',
  'risk.',
  'sum.',
  'bookings.',
  'note.',
  'source.',
  'difference.',
  'direction.',
  'post.',
  'provider.',
  'figures.',
  'ledger.',
  'uncompared.',
  'bankReason.',
  'content.',
  'contentAbout.',
  'bannerPlace.',
  'bannerState.',
  'guideName.',
  'channel.',
  'channelMode.',
  'setting.',
  'settings.',
  'settingStop.',
  'games.',
  'setup.',
  'limits.',
  'help.',
  'bonus.',
  'bonusCodes.',
  'bonusCount.',
  'bonusExample.',
  'bonusKind.',
  'bonusKindNote.',
  'bonusState.',
  'inviteReason.',
  'inviteState.',
  'invites.',
  'kycDocument.',
  'kycRefusal.',
  'macroEnding.',
  'refunds.',
  'schedules.',
  'inviteTree.',
  'shared.',
  'timeline.',
  'run.',
  'runKind.',
  'chatBox.',
  'chatButton.',
  'chatEnd.',
  'chatKind.',
  'chatLanguage.',
  'chatPause.',
  'chatState.',
  'runState.',
  'wheel.',
  'wheelState.',
  'prizeKind.',
  'prize.',
  'couponState.',
  'couponRow.',
  'key.',
  'webhook.',
  'webhookEvent.',
  'webhookFailure.',
  'webhookState.',
];

const sources = (): string =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(d|test|gen)\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');

const server = path.join(import.meta.dirname, '../../server/src');

/** Audit actions that the server's code names in full: those of calls have a dot, commands may have none. */
function auditActions(): string[] {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|gen)\.ts$|testing/.test(file))
    .map((file) => file.split(path.sep).join('/'));
  const named = files.flatMap((file) => {
    const code = readFileSync(path.join(server, file), 'utf8');
    const actions = [...code.matchAll(/\baction(?:: | = )'([a-z.-]+)'/g)].map((match) => match[1] as string);
    return actions.filter((action) => action.includes('.') || file.startsWith('admin/'));
  });
  return [...new Set(named)];
}

/** Argument names of a message, sorted. */
function argumentsOf(text: string): string {
  const names = new Set<string>();
  const walk = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      names.add(String(token[0]));
      for (const branch of Object.values((token[2] ?? {}) as Record<string, unknown>)) walk(branch);
    }
  };
  walk(compileMessage(text));
  return [...names].sort().join(' ');
}

/** Every problem found, in words. */
export function cataloguesProblems(): string[] {
  const catalogues = Object.fromEntries(LANGUAGES.map((locale) => [locale, readPo(locale)])) as Record<
    Language,
    Map<string, string>
  >;
  const ids = new Set(LANGUAGES.flatMap((locale) => [...catalogues[locale].keys()]));
  const code = sources();
  const used = new Set([...code.matchAll(/['"]([a-zA-Z]+\.[\w-]+)['"]/g)].map((match) => match[1] as string));
  const isBuilt = (id: string) => BUILT.some((family) => id.startsWith(family));
  const needed = [
    ...OPERATOR_CODES.map((name) => `error.${name}`),
    ...PERMISSIONS.map((name) => `perm.${name}`),
    ...auditActions().map((name) => `action.${name}`),
  ];
  return [
    ...[...ids].flatMap((id) =>
      LANGUAGES.flatMap((locale) => {
        const text = catalogues[locale].get(id);
        if (!text) return [`${locale}.po: no text for ${id}`];
        const isAlike = argumentsOf(text) === argumentsOf(catalogues.th.get(id) ?? '');
        return isAlike ? [] : [`${locale}.po: ${id} names other arguments than th.po`];
      }),
    ),
    ...[...ids].filter((id) => !used.has(id) && !isBuilt(id)).map((id) => `${id} is not used`),
    ...needed.filter((id) => !ids.has(id)).map((id) => `${id} has no text`),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const problems = cataloguesProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(`catalogues agree: ${readPo('th').size} texts in ${LANGUAGES.length} languages`);
}
