/** Reads the PO catalogues and compiles them, whole or in parts, for the bundler and for the checks. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '@krapao/contract/shared';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { isFirstPart } from '../src/locales/parts.ts';
import { holdWords } from '../src/platform/whole-words.ts';

const localesFolder = path.join(import.meta.dirname, '../src/locales');
export const poFile = (locale: Language): string => path.join(localesFolder, `${locale}.po`);

/** A PO file as a map from id to text. Our files hold one `msgid` and one `msgstr` an entry, perhaps on several lines. */
export function readPo(locale: Language): Map<string, string> {
  const entries = new Map<string, string>();
  let id = '';
  let target: 'msgid' | 'msgstr' | null = null;
  for (const line of readFileSync(poFile(locale), 'utf8').split('\n')) {
    const match = /^(?:(msgid|msgstr) )?"((?:[^"\\]|\\.)*)"$/.exec(line.trim());
    if (!match) {
      target = null;
      continue;
    }
    target = (match[1] as 'msgid' | 'msgstr' | undefined) ?? target;
    const text = JSON.parse(`"${match[2]}"`) as string;
    if (target === 'msgid') id = match[1] ? text : id + text;
    else if (target === 'msgstr' && id !== '') {
      if (match[1] && entries.has(id)) throw new Error(`${locale}.po has ${id} twice`);
      entries.set(id, match[1] ? text : entries.get(id) + text);
    }
  }
  return entries;
}

/** A figure and its word stay on one line: the space between them becomes unbreakable. */
const bind = (text: string): string => text.replace(/(\}|\d|#) (?=\p{L})/gu, '$1\u00a0');

/** One part of one language as a module: `first` is what the login page shows, `rest` everything else. */
export function compilePart(locale: Language, part: 'first' | 'rest'): string {
  const messages: Record<string, unknown> = {};
  for (const [id, text] of readPo(locale)) {
    if (text === '') throw new Error(`${locale}.po has no text for ${id}`);
    if (isFirstPart(id) !== (part === 'first')) continue;
    messages[id] = compileMessage(holdWords(bind(text), locale));
  }
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(messages))});`;
}
