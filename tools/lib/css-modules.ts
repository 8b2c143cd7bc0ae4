import { posix } from 'node:path';

const IMPORT = /^import (\w+) from '([^']+\.module\.css)';$/gm;
const NO_CLASSES = /\/\*[\s\S]*?\*\/|url\([^)]*\)/g;
const CLASS = /\.([A-Za-z_][\w-]*)/g;

/** Returns the path of an imported style sheet, relative to the root. */
const sheetPath = (from: string, name: string): string =>
  name.startsWith('@krapao/ui/')
    ? name.replace('@krapao/ui/', 'packages/ui/src/')
    : posix.join(posix.dirname(from), name);

/**
 * Finds class names that a component takes from a CSS module without a rule for them: the element then has no style, and
 * neither the compiler nor the build says so.
 * @param path of the component, relative to the root
 * @param read returns the text of a style sheet by its path relative to the root
 * @returns one sentence a breach
 */
export function classBreaches(path: string, text: string, read: (path: string) => string): string[] {
  const body = text.replace(/^import .*$/gm, '');
  return [...text.matchAll(IMPORT)].flatMap(([, name, imported]) => {
    const sheet = sheetPath(path, imported!);
    const rules = new Set(
      [...read(sheet).replace(NO_CLASSES, '').matchAll(CLASS)].map(([, known]) => known!),
    );
    const used = new RegExp(`\\b${name}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g');
    const classes = [...body.matchAll(used)].map(([, plain, quoted]) => plain ?? quoted!);
    return [...new Set(classes)]
      .filter((one) => !rules.has(one))
      .map((one) => `${path}: ${sheet} has no class ${one}; write its rule, or name the one that is meant.`);
  });
}
