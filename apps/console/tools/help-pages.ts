import type { Language } from '@krapao/contract/shared';
import { HELP as en } from '../src/help/en.ts';
import { HELP as la } from '../src/help/la.ts';
import { HELP as th } from '../src/help/th.ts';
import { HELP_PAGES } from '../src/help/types.ts';
import { readPo } from './catalogues.ts';

const TEXTS = { th, la, en };

/** Returns docs/console/<language>.md: what every page of the console says of itself, under the page's name. */
function helpPage(language: Language): string {
  const names = readPo(language);
  const pages = HELP_PAGES.map((page) => {
    const { purpose, terms } = TEXTS[language][page];
    const lines = terms.map(([term, meaning]) => `- **${term}**: ${meaning}`);
    return `## ${names.get(`nav.${page}`)}\n\n${purpose}\n\n${lines.join('\n')}`;
  });
  const head = `# ${names.get('help.title')}\n\n${names.get('help.generated')}`;
  return `${[head, ...pages].join('\n\n')}\n`;
}

export const helpTh = (): string => helpPage('th');
export const helpLa = (): string => helpPage('la');
export const helpEn = (): string => helpPage('en');
