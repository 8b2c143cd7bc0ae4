import {
  type Generator,
  insertBefore,
  type Made,
  mustMatch,
  mustRead,
  need,
  type Read,
  UsageError,
} from './generators.ts';

const CONTRACT = 'packages/contract/src/member';
const INDEX = `${CONTRACT}/index.ts`;
const CALLS = 'apps/server/src/calls.ts';
const WALK = 'apps/server/src/api/contract.test.ts';

type Call = { feature: string; name: string; method: string; path: string; summary: string };

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const camel = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());

function declaration({ name, method, path, summary }: Call): string {
  return `export const ${name} = call({
  method: '${method}',
  path: '${path}',
  access: 'member',
  summary: ${JSON.stringify(summary)},
  reply: Message,
});
`;
}

function handler({ feature, name, summary }: Call): string {
  return `import { ${camel(feature)} } from '@krapao/contract/member';
import type { Declare } from '../../platform/http/declare.ts';

/** Declares ${name}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}. */
export function ${name}Call(declare: Declare): void {
  declare(${camel(feature)}.${name}, async () => ({ message: 'OK' }));
}
`;
}

/** The contract's group of a feature with the call in it; a new group is made known to the index. */
function contractFiles(call: Call, read: Read): Record<string, string> {
  const { feature, name } = call;
  const path = `${CONTRACT}/${feature}.ts`;
  const group = read(path);
  if (group !== undefined) {
    if (new RegExp(`export const ${name}\\b`).test(group))
      throw new UsageError(`${name} is declared in ${path} already.`);
    const imports = /import \{[^}]*\bMessage\b[^}]*\} from '\.\/schemas\.ts'/.test(group)
      ? group
      : `import { Message } from './schemas.ts';\n${group}`;
    return { [path]: `${imports}\n${declaration(call)}` };
  }
  const alias = camel(feature);
  const heading = "import { call } from '../shared/call.ts';\nimport { Message } from './schemas.ts';\n\n";
  const steps: [place: RegExp, addition: string][] = [
    [/\nexport type \{ ChatMessage \}/, `import * as ${alias} from './${feature}.ts';\n`],
    [/(?<=^ {2}wheel,\n)\};/m, `  ${alias},\n`],
    [/^ {2}typeof wallet;/m, `  typeof ${alias} &\n`],
  ];
  const index = steps.reduce(
    (text, [place, addition]) => insertBefore(text, place, addition, INDEX),
    mustRead(read, INDEX),
  );
  return { [path]: heading + declaration(call), [INDEX]: index };
}

function makeCall(call: Call, read: Read): Made {
  const { feature, name, method, path } = call;
  mustMatch(feature, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'a feature in kebab-case');
  mustMatch(name, /^[a-z][a-zA-Z0-9]*$/, 'a name such as readWallet');
  mustMatch(method, /^(GET|POST|PUT|DELETE)$/, 'GET, POST, PUT or DELETE');
  mustMatch(path, /^\/api\/[\w/-]+$/, 'a path below /api without parameters (add those afterwards)');
  const file = `apps/server/src/features/${feature}/${kebab(name)}.ts`;
  if (read(file) !== undefined) throw new UsageError(`${file} is there already.`);
  const assembly = mustRead(read, CALLS);
  const importLine = `import { ${name}Call } from './features/${feature}/${kebab(name)}.ts';\n`;
  const declared = insertBefore(
    assembly,
    /^}\n\n\/\*\* Declares the calls that upload/m,
    `  ${name}Call(declare);\n`,
    CALLS,
  );
  return {
    files: {
      ...contractFiles(call, read),
      [file]: handler(call),
      [CALLS]: importLine + declared,
      [WALK]: insertBefore(
        mustRead(read, WALK),
        /^ {4}await walk\('logout'\);/m,
        `    await walk('${name}');\n`,
        WALK,
      ),
    },
    next: [
      `It answers { message: 'OK' } to every member and does nothing else. Give it its parameters, body, reply and refusals in ${CONTRACT}/${feature}.ts, and its work in ${file}.`,
      `Test it beside that file: success, invalid input, a caller without a session, a repeat. ${WALK} calls it already; what changes its input changes that line, and FITTING of hostile.test.ts once it has a body.`,
      'docs/recipes/call.md has the rest: a call of operators, the browser’s side, money.',
    ],
  };
}

export const call: Generator = {
  usage: '<feature> <callName> <METHOD> </api/path> <summary, in English>',
  about: 'a call of the member app: contract, handler and its place in the walk through all calls',
  make(args, read) {
    const names = ['the feature', 'the call', 'the method', 'the path', 'a summary'];
    const [feature, name, method, path, summary] = need(args, names) as [
      string,
      string,
      string,
      string,
      string,
    ];
    return makeCall({ feature, name, method, path, summary }, read);
  },
};

export const feature: Generator = {
  usage: '<feature> <summary of its first call, in English>',
  about: 'a feature of the member API with its first call, GET /api/<feature>',
  make(args, read) {
    const [name, summary] = need(args, ['the feature', 'a summary']) as [string, string];
    mustMatch(name, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'a feature in kebab-case');
    if (read(`${CONTRACT}/${name}.ts`) !== undefined)
      throw new UsageError(`${CONTRACT}/${name}.ts is there already.`);
    const title = camel(`-${name}`);
    return makeCall(
      { feature: name, name: `read${title}`, method: 'GET', path: `/api/${name}`, summary },
      read,
    );
  },
};
