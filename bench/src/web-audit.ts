import lighthouse from 'lighthouse';

/** One Lighthouse run: three figures and four marks of 100. */
export interface Audit {
  lcpSeconds: number;
  cls: number;
  blockedMs: number;
  marks: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>;
  /** Audits that cost a mark, with what Lighthouse says about them. */
  lost: string[];
}

const MARKS = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** What Lighthouse empties before a run beside the HTTP cache; its default empties the page's own caches, too. */
const EMPTIED = ['file_systems', 'shader_cache', 'service_workers'] as const;

/**
 * Audits one page as a mid-range phone on slow 4G, with Lighthouse's own simulated throttling. No file of the app is in
 * the browser's cache; with `isKnown` the page's own caches stay, which hold what the app keeps between visits.
 */
export async function auditPage(url: string, port: number, isKnown: boolean): Promise<Audit> {
  const run = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    formFactor: 'mobile',
    onlyCategories: [...MARKS],
    ...(isKnown ? { clearStorageTypes: [...EMPTIED] } : {}),
  });
  if (!run) throw new Error(`Lighthouse answered nothing about ${url}`);
  const { audits, categories, runtimeError } = run.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const figure = (id: string): number => audits[id]?.numericValue ?? Number.NaN;
  const lost = MARKS.slice(1).flatMap((mark) =>
    (categories[mark]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${mark}: ${audits[id]?.title}`),
  );
  return {
    lcpSeconds: figure('largest-contentful-paint') / 1000,
    cls: figure('cumulative-layout-shift'),
    blockedMs: figure('total-blocking-time'),
    marks: Object.fromEntries(
      MARKS.map((mark) => [mark, (categories[mark]?.score ?? 0) * 100]),
    ) as Audit['marks'],
    lost,
  };
}
