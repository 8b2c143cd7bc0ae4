import { useQuery } from '@tanstack/react-query';
import { useAddress } from './address.ts';
import { api, queries, type Reply } from './api.ts';

type Kept = Reply<'GET /api/operator/views'>;
export type View = Kept['views'][number];
export type ViewPage = View['pageName'];

const SELDOM_MS = 60_000;

/** Views and columns as the server keeps them for the operator. */
function useKept(): Kept | undefined {
  return useQuery({
    queryKey: ['views'],
    queryFn: () => api('GET /api/operator/views'),
    staleTime: SELDOM_MS,
  }).data;
}

export const readViewsAgain = () => queries.invalidateQueries({ queryKey: ['views'] });

/** The views of a page the operator may open, their own first. */
export const useViews = (pageName: ViewPage): View[] =>
  useKept()?.views.filter((view) => view.pageName === pageName) ?? [];

interface Choosable {
  id: string;
  head: unknown;
  /** Never left out. */
  isFixed?: boolean;
}

/** Whether a column is always shown: what has no name cannot be chosen. */
export const isFixed = (column: Choosable): boolean => Boolean(column.isFixed) || column.head === '';

/** The columns that are shown: those the address names, else those the operator chose, else all. */
export function useShownColumns<C extends Choosable>(
  pageName: ViewPage | undefined,
  columns: readonly C[],
): C[] {
  const kept = useKept();
  const named = useAddress().get('cols');
  const chosen = named
    ? named.split(',')
    : (kept?.columns.find((choice) => choice.pageName === pageName)?.shown ?? []);
  if (!pageName || chosen.length === 0) return [...columns];
  return columns.filter((column) => isFixed(column) || chosen.includes(column.id));
}

/** Keeps the operator's choice for the next time they open the page. */
export async function keepColumns(pageName: ViewPage, shown: string[]): Promise<void> {
  queries.setQueryData<Kept>(
    ['views'],
    (before) =>
      before && {
        ...before,
        columns: [...before.columns.filter((choice) => choice.pageName !== pageName), { pageName, shown }],
      },
  );
  await api('POST /api/operator/columns', { body: { pageName, shown } });
}
