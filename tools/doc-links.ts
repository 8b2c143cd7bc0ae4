/** Names links of our documents that lead nowhere and commands that do not exist; ends with code 1 on any. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { docProblems, type Repository } from './lib/doc-links.ts';
import { filesBelow, ROOT } from './lib/files.ts';

function read(path: string): string | undefined {
  const file = join(ROOT, path);
  if (!existsSync(file)) return undefined;
  return statSync(file).isFile() && path.endsWith('.md') ? readFileSync(file, 'utf8') : '';
}

function scripts(): Repository['scripts'] {
  const folders = [
    '.',
    ...['apps', 'packages'].flatMap((folder) =>
      readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
    ),
  ];
  const packages = folders
    .map((folder) => join(ROOT, folder, 'package.json'))
    .filter((file) => existsSync(file));
  const entries = packages.map((file) => {
    const { name, scripts: own = {} } = JSON.parse(readFileSync(file, 'utf8'));
    return [name === 'krapao' ? '' : name, Object.keys(own)];
  });
  return Object.fromEntries(entries);
}

const files = [
  ...readdirSync(ROOT),
  ...['.github', 'apps', 'bench', 'deploy', 'docs', 'e2e', 'packages', 'tools'].flatMap(filesBelow),
];
const sources = files.filter((path) => /(?<!\.(?:gen|test))\.(?:tsx?|mjs|sql)$/.test(path));

const repository: Repository = {
  read,
  scripts: scripts(),
  benches: readdirSync(join(ROOT, 'bench'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => basename(name, '.ts')),
  files,
  words: new Set(sources.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/\w+/g) ?? [])),
};
const atRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
const documents = [
  ...atRoot,
  ...['docs', '.github'].flatMap(filesBelow).filter((path) => path.endsWith('.md')),
];
const problems = documents.flatMap((path) => docProblems(path, read(path) ?? '', repository));
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
