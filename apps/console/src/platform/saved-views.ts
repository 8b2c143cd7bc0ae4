import { useQuery } from '@tanstack/react-query';
import { useAddress } from './address.ts';
import { api, type Body, queries, type Reply } from './api.ts';
import type { Page, Path } from './paths.ts';

type Kept = Reply<'GET /api/operator/views'>;
export type View = Kept['views'][number];
export type ViewPage = View['pageName'];

const SELDOM_MS = 60_000;

/** Views and columns as the server keeps them for the operator. */
function useStoredChoices(): Kept | undefined {
  return useQuery({
    queryKey: ['views'],
    queryFn: () => api('GET /api/operator/views'),
    staleTime: SELDOM_MS,
  }).data;
}

export const readViewsAgain = () => queries.invalidateQueries({ queryKey: ['views'] });

/** The views of a page the operator may open, their own first. */
export const useViews = (pageName: ViewPage): View[] =>
  useStoredChoices()?.views.filter((view) => view.pageName === pageName) ?? [];

/** Where the list of each is; one page may have two. */
const PLACES: Record<ViewPage, Exclude<Page, '/'>> = {
  withdrawals: '/withdrawals',
  deposits: '/deposits',
  unmatched: '/unmatched',
  reports: '/reports',
  doubts: '/reports',
  slips: '/slips',
  transfers: '/transfers',
  members: '/members',
  differences: '/reconciliation',
  coupons: '/coupons',
  figures: '/figures',
  approvals: '/approvals',
  audit: '/audit',
};

/** The address of a view. */
export const pathOf = ({ pageName, address }: Pick<View, 'pageName' | 'address'>): Path =>
  address ? `${PLACES[pageName]}?${address}` : PLACES[pageName];

/** Whether a page can open with a view of this list: the ambiguous matches are the second list of theirs. */
export const isFirstList = (pageName: ViewPage): boolean => pageName !== 'doubts';

/**
 * Returns the address that the side bar, the palette and the keys open a page with: that of the operator's default
 * view, else the bare page. Other links have an address of their own, and clearing the filters remains on the page.
 */
export function useEntry(): (page: Page) => Path {
  const stored = useStoredChoices();
  return (page) => {
    const view = stored?.views.find(
      ({ isDefault, pageName }) => isDefault && isFirstList(pageName) && PLACES[pageName] === page,
    );
    return view ? pathOf(view) : page;
  };
}

/** Views of a page that the side bar has room for. */
const SHORT_LIST = 5;

/** The first of the operator's own views of a page, behind the one that it opens with. */
export function useShortList(page: Page): View[] {
  const views = useStoredChoices()?.views.filter(({ pageName }) => PLACES[pageName] === page) ?? [];
  const [first, others] = [true, false].map((isFirst) =>
    views.filter((view) => (view.isDefault ?? false) === isFirst && (isFirst || view.mine)),
  ) as [View[], View[]];
  return [...first, ...others].slice(0, SHORT_LIST);
}

/** Parameters that are no part of a view. */
const PASSING = ['open', 'page', 'cursor', 'add'];

function plain(address: string): string {
  const params = new URLSearchParams(address);
  for (const name of PASSING) params.delete(name);
  params.sort();
  return params.toString();
}

/** Whether a query string shows what the view does, whichever row is open beside it. */
export const isShown = (view: View, address: string): boolean => plain(view.address) === plain(address);

interface Choosable {
  id: string;
  head: unknown;
  /** Never left out. */
  isFixed?: boolean;
}

/** Whether a column is always shown: what has no name cannot be chosen. */
export const isFixed = (column: Choosable): boolean => Boolean(column.isFixed) || column.head === '';

/** The ids of the columns that the address names, else of those the operator chose; none: all are shown. */
export function useChosenColumns(pageName: ViewPage | undefined): readonly string[] {
  const stored = useStoredChoices();
  const named = useAddress().get('cols');
  if (named) return named.split(',');
  return stored?.columns.find((choice) => choice.pageName === pageName)?.shown ?? [];
}

/** The columns that are shown: those the address names, else those the operator chose, else all. */
export function useShownColumns<C extends Choosable>(
  pageName: ViewPage | undefined,
  columns: readonly C[],
): C[] {
  const chosen = useChosenColumns(pageName);
  if (!pageName || chosen.length === 0) return [...columns];
  return columns.filter((column) => isFixed(column) || chosen.includes(column.id));
}

/** The stored choices with one choice of a page changed. */
function withChoice(
  { columns }: Kept,
  change: Pick<Kept['columns'][number], 'pageName'> & Partial<Kept['columns'][number]>,
): Kept['columns'] {
  const before = columns.find(({ pageName }) => pageName === change.pageName);
  const others = columns.filter(({ pageName }) => pageName !== change.pageName);
  return [...others, { shown: [], pageSize: null, ...before, ...change }];
}

type PageSize = Body<'POST /api/operator/page-size'>['size'];
/** How many rows a page of a list may have. */
export const PAGE_SIZES: readonly PageSize[] = [25, 50, 100];
const STANDARD: PageSize = 25;

const sizeIn = (value: unknown): PageSize | undefined => PAGE_SIZES.find((size) => size === Number(value));

/** How many rows a page has, and the function that changes it for this operator. */
export interface PageSizeChoice {
  size: PageSize;
  choose: (size: PageSize) => void;
}

/** The size the address names, as a saved view does, else the one the operator chose for the page, else 25. */
export function usePageSize(pageName: ViewPage | undefined): PageSizeChoice {
  const stored = useStoredChoices();
  const address = useAddress();
  const named = sizeIn(address.get('size'));
  const chosen = sizeIn(stored?.columns.find((choice) => choice.pageName === pageName)?.pageSize);
  return {
    size: named ?? chosen ?? STANDARD,
    choose(size) {
      if (!pageName) return;
      address.set({ size: named ? size : null, cursor: null });
      queries.setQueryData<Kept>(
        ['views'],
        (before) => before && { ...before, columns: withChoice(before, { pageName, pageSize: size }) },
      );
      // The rows are shown; storing the choice only affects the next visit.
      void api('POST /api/operator/page-size', { body: { pageName, size } }).catch(() => readViewsAgain());
    },
  };
}

/** Keeps the operator's choice for the next time they open the page. */
export async function keepColumns(pageName: ViewPage, shown: string[]): Promise<void> {
  queries.setQueryData<Kept>(
    ['views'],
    (before) =>
      before && {
        ...before,
        columns: withChoice(before, { pageName, shown }),
      },
  );
  await api('POST /api/operator/columns', { body: { pageName, shown } });
}
