import { relative } from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project } from 'typescript/unstable/sync';

/** The place of a query, and its possible texts: several when it is composed from alternatives. */
export type FoundQuery = { place: string; texts: string[] };

/** Functions of this module take the text of a query first, or an object with it in `text`. */
const TYPED_BY = /platform\/database\/db\.ts$/;

/** The argument or property that is the text. */
function textOf(call: Node): Node | undefined {
  if (!isCallExpression(call)) return undefined;
  const first = call.arguments[0];
  if (!first || !isObjectLiteralExpression(first)) return first;
  const properties = first.properties as readonly (Node & { name?: Node; initializer?: Node })[];
  const property = properties.find(({ name }) => name?.getText() === 'text');
  return property?.initializer ?? property?.name;
}

/** Calls in a file whose name is `query` or `sql`, each with the name in the source. */
function callsIn(file: SourceFile): { name: Node; text: Node }[] {
  const calls: { name: Node; text: Node }[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node)) {
      const name = isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const text = textOf(node);
      if (text && ['query', 'sql'].includes(name.getText())) calls.push({ name, text });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return calls;
}

/** The texts of a literal type or a union of them, none of those `sql` has checked; undefined for any other type. */
function textsOf(type: ReturnType<Checker['getAnyType']> | undefined): string[] | undefined {
  const types = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
  const unchecked = types.filter((each) => !each.isIntersectionType());
  const texts = unchecked.flatMap((each) => (each.isLiteralType() ? [String(each.value)] : []));
  return types.length > 0 && texts.length === unchecked.length ? texts : undefined;
}

/** The texts an expression may have; a template is put together from those of its parts. */
function textsAt(expression: Node, checker: Checker): string[] | undefined {
  if (!isTemplateExpression(expression)) return textsOf(checker.getTypeAtLocation(expression));
  let texts: string[] | undefined = [expression.head.text];
  for (const { expression: part, literal } of expression.templateSpans) {
    const choices: string[] | undefined = isTemplateExpression(part)
      ? textsAt(part, checker)
      : textsOf(checker.getTypeAtLocation(part));
    texts = choices && texts?.flatMap((text) => choices.map((choice) => text + choice + literal.text));
  }
  return texts;
}

function queriesIn(
  project: Project,
  path: string,
  root: string,
): { queries: FoundQuery[]; faults: string[] } {
  const { checker, program } = project;
  const file = program.getSourceFile(path);
  const calls = file ? callsIn(file) : [];
  if (!file || calls.length === 0) return { queries: [], faults: [] };
  const symbols = checker.getSymbolAtLocation(calls.map(({ name }) => name));
  const queries: FoundQuery[] = [];
  const faults: string[] = [];
  calls.forEach(({ text }, index) => {
    const symbol = symbols[index];
    const isImported = symbol?.declarations.some(({ kind }) => kind === SyntaxKind.ImportSpecifier);
    const called = symbol && isImported ? checker.getAliasedSymbol(symbol) : symbol;
    if (!called?.declarations.some((declaration) => TYPED_BY.test(declaration.path))) return;
    const line = file.text.slice(0, text.getStart(file)).split('\n').length;
    const place = `${relative(root, path)}:${line}`;
    const texts = textsAt(text, checker);
    if (texts) queries.push({ place, texts });
    else
      faults.push(
        `${place}: the compiler does not know the text of this query. Write it in place, or as a const that ends in "as const"; ` +
          'a part that varies comes from a list of literals, such as orderBy.',
      );
  });
  return { queries, faults };
}

/**
 * Finds the text of every query that a TypeScript project sends through `platform/database/db.ts`, as the compiler
 * reckons it: constants, parts of other modules and choices between literals are put in.
 * @param config path of its tsconfig.json
 * @param root places are reported relative to this folder
 * @returns the queries, and a sentence for each whose text the compiler does not know
 */
export function findQueries(config: string, root: string): { queries: FoundQuery[]; faults: string[] } {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} is no TypeScript project`);
    const found = project.rootFiles.map((path) => queriesIn(project, path, root));
    return {
      queries: found.flatMap(({ queries }) => queries),
      faults: found.flatMap(({ faults }) => faults),
    };
  } finally {
    api.close();
  }
}
