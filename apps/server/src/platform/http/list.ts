import { Refusal } from '../refusal.ts';

const LIMIT = 25;

/** Page and limit of a list as what the database is asked for; page counts from 1. */
export function rangeOf(query: { page?: number | undefined; limit?: number | undefined }): {
  limit: number;
  offset: number;
} {
  const { page = 1, limit = LIMIT } = query;
  return { limit, offset: (page - 1) * limit };
}

/** A half-open range of times out of an address; throws INVALID_REQUEST for what is no time. */
export function timesOf(query: { from?: string | undefined; to?: string | undefined }): {
  from: string | null;
  to: string | null;
} {
  for (const text of [query.from, query.to])
    if (text && Number.isNaN(Date.parse(text))) throw new Refusal('INVALID_REQUEST');
  return { from: query.from || null, to: query.to || null };
}
