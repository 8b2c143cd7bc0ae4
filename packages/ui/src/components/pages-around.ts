const BEFORE = 3;
const AFTER = 1;

/** The page numbers a pager offers: up to three before the present page and one after it. */
export function pagesAround(page: number, pageCount: number): number[] {
  const first = Math.max(1, page - BEFORE);
  const last = Math.min(pageCount, page + AFTER);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
