import { basename } from 'node:path';
import { type Node, parse } from '@swc/core';

const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 500;
/** Spelled apart so that this file does not break its own rule. */
const UNFINISHED = new RegExp(
  `\\b(${['TO', 'FIX'].map((start, at) => start + ['DO', 'ME'][at]).join('|')})\\b`,
);
const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const MIGRATION = /^\d{4}_[a-z0-9_]+\.sql$/;

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const METHODS = new Set([
  'ClassMethod',
  'PrivateMethod',
  'Constructor',
  'MethodProperty',
  'GetterProperty',
  'SetterProperty',
]);

type Span = { start: number; end: number };
type Found = { name: string; span: Span };

function nameOf(node: Record<string, unknown>): string {
  const named = (node.identifier ?? node.key) as { value?: unknown } | undefined;
  return typeof named?.value === 'string' ? named.value : 'a function';
}

function collect(value: unknown, found: Found[], nameAbove: string): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found, nameAbove);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const node = value as Record<string, unknown>;
  const type = String(node.type ?? '');
  const isFunction = FUNCTIONS.has(type) || METHODS.has(type);
  const own = nameOf(node);
  const name = own === 'a function' ? nameAbove : own;
  if (isFunction) found.push({ name, span: node.span as Span });
  const declared = type === 'VariableDeclarator' ? nameOfPattern(node.id) : name;
  for (const inner of Object.values(node)) collect(inner, found, isFunction ? 'a function' : declared);
}

function nameOfPattern(pattern: unknown): string {
  const { value } = (pattern ?? {}) as { value?: unknown };
  return typeof value === 'string' ? value : 'a function';
}

/** Tests' `describe` blocks hold many short tests; only what is inside them is judged. */
function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path);
}

async function longFunctions(path: string, text: string): Promise<string[]> {
  const syntax = { syntax: 'typescript', tsx: path.endsWith('x') } as const;
  const bytes = Buffer.from(text);
  const module: Node & { span: Span } = await parse(text, { ...syntax, target: 'es2022' });
  const found: Found[] = [];
  collect(module, found, 'a function');
  // Positions count bytes from the first token of the first file this process ever parsed; ours begins here.
  const origin = module.span.start - leadingBytes(text);
  return found.flatMap(({ name, span }) => {
    const lines = bytes
      .subarray(span.start - origin, span.end - origin)
      .toString()
      .split('\n').length;
    if (lines <= FUNCTION_LINES_MAX) return [];
    const line = bytes
      .subarray(0, span.start - origin)
      .toString()
      .split('\n').length;
    return [
      `${path}:${line}: ${name} is ${lines} lines long; the most is ${FUNCTION_LINES_MAX}. ` +
        'Keep the branching here and move the computing into functions of their own.',
    ];
  });
}

/** The module's span begins at its first token: what stands before it is comments and blank lines. */
function leadingBytes(text: string): number {
  const leading = /^(?:\s+|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|#![^\n]*\n)*/.exec(text)?.[0] ?? '';
  return Buffer.byteLength(leading);
}

/**
 * Judges one file by our rules.
 * @param path relative to the root
 * @returns one sentence a breach
 */
export async function breachesIn(path: string, text: string): Promise<string[]> {
  const breaches: string[] = [];
  const name = basename(path);
  const lines = text.split('\n');
  if (!KEBAB.test(name) && !MIGRATION.test(name)) {
    breaches.push(`${path}: name it in kebab-case, such as request-withdrawal.ts.`);
  }
  if (lines.length - 1 > FILE_LINES_MAX) {
    breaches.push(
      `${path}: ${lines.length - 1} lines; the most is ${FILE_LINES_MAX}. Split it where the reader would pause.`,
    );
  }
  lines.forEach((line, at) => {
    if (UNFINISHED.test(line))
      breaches.push(`${path}:${at + 1}: finish it, or say in a sentence what holds today.`);
  });
  if (/\.tsx?$/.test(path) && !isTest(path)) breaches.push(...(await longFunctions(path, text)));
  return breaches;
}
