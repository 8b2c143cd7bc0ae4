import { readPo } from './catalogues.ts';

/**
 * Returns message-ids.gen.ts, the list of message ids as types, so that an unknown id fails the type check. `export {}`
 * keeps it an augmentation: without it the module would be replaced.
 */
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
