import type { MemberApi } from '@krapao/contract/member';

type Body = MemberApi['POST /api/statement']['body'];

/** Which rows are shown; nothing set shows all. Days are YYYY-MM-DD in Bangkok. */
export type StatementFilter = Omit<Body, 'page' | 'limit'>;

export const TYPES = ['deposit', 'withdraw', 'transfer', 'bonus', 'finish_bonus'] as const;
export const STATUSES = ['SUCCESS', 'IN_PROGRESS', 'FAILED'] as const;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether the calendar has this day. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The filter that an address names; what it cannot be is left out. */
export function filterOf(search: string): StatementFilter {
  const named = new URLSearchParams(search);
  const type = TYPES.find((one) => one === named.get('type'));
  const status = STATUSES.find((one) => one === named.get('status'));
  const [from, to] = [named.get('from') ?? '', named.get('to') ?? ''];
  return {
    ...(type ? { type } : {}),
    ...(status ? { status } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  };
}

/** The filter as the end of an address; empty for none. */
export function searchOf(filter: StatementFilter): string {
  const text = new URLSearchParams(Object.entries(filter)).toString();
  return text === '' ? '' : `?${text}`;
}
