import { WEBHOOK_EVENTS } from '@krapao/contract/operator';

interface FieldSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: FieldSchema[];
  description?: string;
}

/** Returns the type of a field as a reader of documents writes it. */
function typeText({ type, const: value, enum: values, anyOf }: FieldSchema): string {
  if (value !== undefined) return `\`${value}\``;
  if (values) return values.map((one) => `\`${one}\``).join(', ');
  if (anyOf) return anyOf.map(typeText).join(' or ');
  return type ?? '';
}

/** Returns the text of docs/webhook-events.md: every type of event with the fields of its data. */
export function webhooksPage(): string {
  const types = Object.entries(WEBHOOK_EVENTS).flatMap(([name, { about, data }]) => [
    `## ${name}`,
    '',
    `Sent when ${about}.`,
    '',
    '| Field | Value |',
    '|---|---|',
    ...Object.entries(data.properties as Record<string, FieldSchema>).map(
      ([field, schema]) =>
        `| \`${field}\` | ${[typeText(schema), schema.description].filter(Boolean).join('. ')} |`,
    ),
    '',
  ]);
  return [
    '# Events of webhooks',
    '',
    'Generated from the contract by `npm run fix`. How to receive them: [webhooks.md](webhooks.md).',
    '',
    'Fields of `data`, by type of event:',
    '',
    ...types,
  ].join('\n');
}
