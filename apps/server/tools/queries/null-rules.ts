/** Built-in functions that may answer null although no argument is null; all other strict ones do not. */
export const MAY_BE_NULL: ReadonlySet<string> = new Set([
  'array_length',
  'array_position',
  'current_setting',
  'json_array_element',
  'json_array_element_text',
  'json_extract_path',
  'json_extract_path_text',
  'json_object_field',
  'json_object_field_text',
  'jsonb_array_element',
  'jsonb_array_element_text',
  'jsonb_extract_path',
  'jsonb_extract_path_text',
  'jsonb_object_field',
  'jsonb_object_field_text',
  'jsonb_path_query_first',
  'regexp_match',
  'regexp_substr',
  'substring',
  'to_regclass',
]);

/** Functions that never answer null, whatever their arguments, and routines of ours; PostgreSQL does not record that. */
export const NEVER_NULL: ReadonlySet<string> = new Set([
  'array_remove',
  'arrived_today',
  'bonus_remains',
  'bonus_standing',
  'chat_room',
  'chat_say',
  'ledger_open_account',
  'ledger_post_batch',
  'member_total',
  'refund_figures',
  'concat',
  'concat_ws',
  'json_build_array',
  'json_build_object',
  'jsonb_build_array',
  'jsonb_build_object',
]);

/** Aggregates and window functions that answer a value for no rows too. */
export const NEVER_NULL_AGGREGATES: ReadonlySet<string> = new Set([
  'count',
  'cume_dist',
  'dense_rank',
  'ntile',
  'percent_rank',
  'rank',
  'row_number',
]);
