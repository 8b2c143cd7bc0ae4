/** Writes the list of message ids as types, so that an unknown id fails the type check. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { localesFolder, readPo } from './catalogues.ts';

export const typesFile = path.join(localesFolder, 'message-ids.gen.ts');

/** The declaration as text. `export {}` keeps it an augmentation: without it the module would be replaced. */
export function messageTypes(): string {
  const ids = [...readPo('th').keys()].map((id) => `  | '${id}'`).join('\n');
  return `// Made from th.po by tools/message-types.ts.
type MessageIds =
${ids};

declare module '@lingui/core' {
  interface Register {
    messageIds: MessageIds;
  }
}
export {};
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(typesFile, messageTypes());
