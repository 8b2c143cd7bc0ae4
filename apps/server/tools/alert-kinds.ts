import { ALERT_KINDS } from '@krapao/contract/operator';

/** Returns the SQL function that knows the kinds of alerts, as the contract lists them. */
export function alertKindsSql(): string {
  return [
    '-- Returns whether a kind of alert is in the list of packages/contract. Written by `npm run fix`.',
    'create or replace function is_alert_kind(_kind text) returns boolean language sql immutable as $$',
    '  select _kind in (',
    Object.keys(ALERT_KINDS)
      .map((kind) => `    '${kind}'`)
      .join(',\n'),
    '  )',
    '$$;',
    '',
  ].join('\n');
}
