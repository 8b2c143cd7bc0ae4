/** Reads the console's PO catalogues and compiles them for the bundler and for the checks. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '@krapao/contract/shared';
import { compileMessage } from '@lingui/message-utils/compileMessage';

const localesFolder = path.join(import.meta.dirname, '../src/locales');
export const poFile = (locale: Language): string => path.join(localesFolder, `${locale}.po`);

/** A PO file as a map from id to text. Our files hold one `msgid` and one `msgstr` an entry, each on one line. */
export function readPo(locale: Language): Map<string, string> {
  const entries = new Map<string, string>();
  let id = '';
  for (const line of readFileSync(poFile(locale), 'utf8').split('\n')) {
    const match = /^(msgid|msgstr) "((?:[^"\\]|\\.)*)"$/.exec(line.trim());
    if (!match) continue;
    const text = JSON.parse(`"${match[2]}"`) as string;
    if (match[1] === 'msgid') id = text;
    else if (id !== '') {
      if (entries.has(id)) throw new Error(`${locale}.po has ${id} twice`);
      entries.set(id, text);
    }
  }
  return entries;
}

/** One language as a module; broken or empty entries stop the build. */
export function compileCatalogue(locale: Language): string {
  const compiled: Record<string, unknown> = {};
  for (const [id, text] of readPo(locale)) {
    if (text === '') throw new Error(`${locale}.po has no text for ${id}`);
    compiled[id] = compileMessage(text);
  }
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))});`;
}
