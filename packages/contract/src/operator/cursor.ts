import { Type } from 'typebox';
import { Nullable } from './schemas.ts';

/** Where a page of a list begins, as the reply of another page named it; none: at the beginning. */
export const cursor = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String({ maxLength: 30, pattern: '^(after:\\d{1,18}|before:\\d{1,18}|last)$' })),
};

/** The cursors of the pages beside one page; null: there is none. */
export const turns = {
  previous: Nullable(Type.String()),
  next: Nullable(Type.String()),
  last: Nullable(Type.String({ description: 'Of the last page, which is read as fast as the first.' })),
};
