import AjvCompiler from '@fastify/ajv-compiler';
import WriterCompiler from '@fastify/fast-json-stringify-compiler';
import { isDay, isMoment } from '@krapao/contract/shared';

/** As the framework calls it: false or an error when the data is wrong, and then `errors` says why. */
interface Check {
  (data: unknown): unknown;
  errors?: unknown;
}
type Writer = (data: unknown) => string;

interface RoutePart {
  schema: object;
  httpPart?: string;
}

const CHECKS = AjvCompiler();
/** Formats of our own, see times.ts in the contract. */
const FORMATS = { day: isDay, moment: isMoment };
const writerOf = WriterCompiler()({}, { ajv: { formats: FORMATS } } as never) as (route: RoutePart) => Writer;
/** Servers of one process share what they have compiled. */
const writers = new WeakMap<object, Writer>();

/** Body fields must have the declared type; path and query values arrive as text and are converted. */
const COMMON = {
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  formats: FORMATS,
} as const;

/** Whether a text was converted to a number without end, which ajv holds against no bound: `1e999`. */
const isEndless = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** Deeper than any body that a call takes. */
const LEVELS_MAX = 100;

/**
 * Returns what is wrong with a body whatever its schema says, or null: text with half a surrogate pair, which no UTF-8
 * and no database can hold, and values nested deeper than `LEVELS_MAX`, which a recursive function of a handler could
 * not walk through. A field of any type would let both in.
 */
function faultIn(value: unknown, level = 0): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : 'must be well-formed text';
  if (typeof value !== 'object' || value === null) return null;
  if (level === LEVELS_MAX) return 'must not be nested so deeply';
  for (const [name, part] of Object.entries(value)) {
    const fault = faultIn(name) ?? faultIn(part, level + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Returns a body schema without the fields that the handler checks itself; see `refusedAs` in the contract. */
function withoutHandled(schema: { properties?: Record<string, object> }): object {
  const { properties = {} } = schema;
  if (!Object.values(properties).some((field) => 'x-refusal' in field)) return schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, 'x-refusal' in field ? {} : field]);
  return { ...schema, properties: Object.fromEntries(fields) };
}

/**
 * Builds the framework's checks of what comes in. There are hundreds, and compiling them took half of a start: each is
 * compiled when the first call needs it.
 */
export function buildValidator(externalSchemas: unknown, options: object): (route: RoutePart) => Check {
  const compiler = (coerceTypes: boolean) =>
    CHECKS(
      externalSchemas as never,
      { ...options, customOptions: { ...COMMON, coerceTypes } } as never,
    ) as unknown as (route: RoutePart) => Check;
  const [strict, lenient] = [compiler(false), compiler(true)];
  return (route) => {
    let compiled: Check | undefined;
    const check: Check = (data) => {
      compiled ??=
        route.httpPart === 'body'
          ? strict({ ...route, schema: withoutHandled(route.schema) })
          : lenient(route);
      const result = compiled(data);
      check.errors = compiled.errors;
      if (result !== true) return result;
      const fault =
        route.httpPart === 'body'
          ? faultIn(data)
          : Object.values(data ?? {}).some(isEndless)
            ? 'must be a finite number'
            : null;
      if (fault === null) return result;
      check.errors = [{ message: fault }];
      return false;
    };
    return check;
  };
}

/** Builds the framework's response serialisers, each compiled at its first use. */
export const buildSerializer =
  () =>
  (route: RoutePart): Writer => {
    let writer = writers.get(route.schema);
    return (data) => {
      if (!writer) {
        writer = writerOf(route);
        writers.set(route.schema, writer);
      }
      return writer(data);
    };
  };
