import type { CallDeclaration } from '@krapao/contract/shared';

/** What the generator reads of a JSON schema. */
interface ExampleSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly ExampleSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  items?: ExampleSchema;
  minItems?: number;
  properties?: Readonly<Record<string, ExampleSchema>>;
  patternProperties?: object;
  required?: readonly string[];
}

/** Path parameters as they look where a name says nothing. */
const PARAMETERS: Readonly<Record<string, string>> = { id: 'WD1M853T0X9Q4ZK2A', format: 'csv' };

/** Example texts of fields whose pattern or meaning requires one, by the field's name. */
const TEXTS: Readonly<Record<string, string>> = {
  reason: 'agreed with the member',
  url: 'https://hooks.example/krapao',
  code: '123456',
  key: '0d9c1f6a-2b7e-4a0f-9b3c-5d8e7f6a1b2c',
  name: 'bookkeeping',
  password: 'a long enough password',
  accountNo: '1234567890',
  phone: '0812345678',
  recipient: 'finance@wallet.example',
};

function exampleText(schema: ExampleSchema, name: string): string {
  if (schema.format === 'day') return '2026-11-23';
  if (schema.format === 'moment') return '2026-11-23T00:00:00+07:00';
  const pattern = new RegExp(schema.pattern ?? '');
  const fits = (text: string) => pattern.test(text) && text.length >= (schema.minLength ?? 0);
  const candidates = [TEXTS[name], name, '123456', '1', '#0a6b52', '12:00', 'a1', 'A1'];
  return candidates.find((text) => text !== undefined && fits(text)) ?? 'text '.repeat(20).trim();
}

/**
 * Returns a value that fits a schema, for the documents: required fields only, the first of several values, names as
 * texts.
 */
export function exampleOf(schema: ExampleSchema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!, name);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((field) => [field, exampleOf(schema.properties![field]!, field)]),
      );
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () =>
        exampleOf(schema.items ?? {}, name.replace(/s$/, '')),
      );
    case 'integer':
    case 'number':
      return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? Number.POSITIVE_INFINITY);
    case 'boolean':
      return true;
    case 'string':
      return exampleText(schema, name);
    default:
      return null;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Returns a command that makes a call with curl, for the documents. A call that needs a permission is shown with an API
 * key; others are made by the console, or before sign-in.
 */
export function curlOf(call: CallDeclaration): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? name);
  const body = call.body && JSON.stringify(exampleOf(call.body as ExampleSchema));
  return [
    'curl',
    ...(call.method === 'GET' ? [] : [`-X ${call.method}`]),
    ...(call.permission ? ['-H "Authorization: Bearer $KRAPAO_KEY"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`] : []),
    `"$KRAPAO_CONSOLE${path}"`,
  ].join(' ');
}
