import type { Random } from './random.ts';

/** The parts of JSON Schema that the contract's schemas use. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  patternProperties?: Record<string, Schema>;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
}

/** Values seen in answers, by the name of their field: ids and codes that exist. */
export class Pool {
  private readonly byName = new Map<string, unknown[]>();
  private readonly random: Random;
  constructor(random: Random) {
    this.random = random;
  }

  /** Keeps what an answer says, at most 50 values a name. */
  learn(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const one of value.slice(0, 5)) this.learn(one, name);
    else if (typeof value === 'object' && value !== null)
      for (const [field, one] of Object.entries(value)) this.learn(one, field);
    else if (typeof value === 'string' || typeof value === 'number') this.keep(name, value);
  }

  keep(name: string, value: unknown): void {
    const known = this.byName.get(name) ?? [];
    if (known.length < 50) known.push(value);
    else known[this.random.below(50)] = value;
    this.byName.set(name, known);
  }

  /** A value once seen under the name, or under any name in one of ten tries; undefined when there is none. */
  recall(name: string): unknown {
    const names = [...this.byName.keys()];
    const from = this.random.chance(0.1) && names.length > 0 ? this.random.pick(names) : name;
    const known = this.byName.get(from);
    return known && this.random.pick(known);
  }
}

const WORDS = [
  'wallet',
  'betflix',
  'pg',
  'KBANK',
  'SCB',
  'th',
  'en',
  'BAHT',
  'REVIEW',
  'PENDING',
  'a reason given',
];

function textOf(schema: Schema, random: Random): string {
  if (schema.format === 'date-time') return new Date(1.7e12 + random.below(1e9) * 100).toISOString();
  if (schema.format === 'date') return new Date(1.7e12 + random.below(1e9) * 100).toISOString().slice(0, 10);
  const word = random.chance(0.3) ? String(random.below(100_000)) : random.pick(WORDS);
  const padded = word.padEnd(schema.minLength ?? 0, 'x');
  return padded.slice(0, schema.maxLength ?? padded.length);
}

function numberOf(schema: Schema, random: Random): number {
  const least = schema.minimum ?? 0;
  const most = Math.min(schema.maximum ?? 10_000, least + 10_000);
  const value = least + random.fraction() * (most - least);
  return schema.type === 'integer' ? Math.floor(value) : Math.round(value * 100) / 100;
}

function objectOf(schema: Schema, random: Random, pool: Pool): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false;
    if (isRequired || random.chance(0.5)) made[name] = fitting(part, random, pool, name);
  }
  const [extra] = Object.values(schema.patternProperties ?? {});
  if (extra) made[random.pick(WORDS)] = fitting(extra, random, pool, '');
  return made;
}

/** A value of the schema's shape, mostly one that exists; patterns are met by values seen in answers only. */
export function fitting(schema: unknown, random: Random, pool: Pool, name = ''): unknown {
  const shape = schema as Schema;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return random.pick(shape.enum);
  if (shape.anyOf) return fitting(random.pick(shape.anyOf), random, pool, name);
  const isLeaf = shape.type !== 'object' && shape.type !== 'array';
  const known = isLeaf && random.chance(0.7) ? pool.recall(name) : undefined;
  if (known !== undefined && (shape.type === undefined || shape.type === typeof known)) return known;
  if (known !== undefined && shape.type === 'string') return String(known);
  if (shape.type === 'object') return objectOf(shape, random, pool);
  if (shape.type === 'array') {
    const length = (shape.minItems ?? 0) + random.below(3);
    return Array.from({ length }, () => fitting(shape.items ?? {}, random, pool, name));
  }
  if (shape.type === 'boolean') return random.chance(0.5);
  if (shape.type === 'null') return null;
  if (shape.type === 'integer' || shape.type === 'number') return numberOf(shape, random);
  if (shape.type === 'string') return textOf(shape, random);
  return random.chance(0.5) ? Math.round(random.fraction() * 100_000) / 100 : random.pick(WORDS);
}

const deep = (levels: number): unknown => (levels === 0 ? 0 : { a: [deep(levels - 1)] });

/** Values that programs stumble over. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '__proto__',
  'constructor',
  "'; drop table member; --",
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '=HYPERLINK("x")',
  '\ud800',
  '💰'.repeat(50),
  'x'.repeat(5_000),
  -1,
  0,
  -0.01,
  0.001,
  1e15,
  1e308,
  2 ** 53,
  -(2 ** 63),
  '9'.repeat(30),
  '1e9',
  'NaN',
  'Infinity',
  '-1',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '275760-09-14T00:00:00Z',
  '+275760-09-14T00:00:00.000Z',
  { toString: 1 },
  { valueOf: 'x', length: -1 },
  JSON.parse('{"then":"x","__proto__":null}'),
  deep(40),
];

/** The value with one part of it replaced, added or taken away. */
export function spoilt(value: unknown, random: Random): unknown {
  const isContainer = typeof value === 'object' && value !== null;
  if (!isContainer || random.chance(0.15)) return random.pick(HOSTILE);
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    const at = random.below(copy.length + 1);
    copy[at] = at < copy.length ? spoilt(copy[at], random) : random.pick(HOSTILE);
    return copy;
  }
  const entries = Object.entries(value);
  const kind = random.below(10);
  if (kind === 0 || entries.length === 0)
    return { ...value, [random.pick(['role', 'id', 'isAdmin', 'x'])]: true };
  const at = random.below(entries.length);
  const [name, part] = entries[at]!;
  if (kind === 1) entries.splice(at, 1);
  else entries[at] = [name, spoilt(part, random)];
  return Object.fromEntries(entries);
}

/** Text in place of a value in a path or a query. */
export const wireText = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)).toWellFormed();
