import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axeCore from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A rule's impact, where it states one, is that of all it finds. */
type Axe = typeof axeCore & { _audit: { rules: { id: string; impact: string | null }[] } };

/** Runs in the page: what axe finds, or null in a document that has not got it yet. */
async function audit(within: string): Promise<string[] | null> {
  const { axe } = window as unknown as { axe?: Axe };
  if (!axe) return null;
  const isSerious = (impact?: string | null) => impact !== 'minor' && impact !== 'moderate';
  const passedOver = axe._audit.rules.filter(({ impact }) => !isSerious(impact));
  const { violations } = await axe.run(within, {
    resultTypes: ['violations'],
    rules: Object.fromEntries(passedOver.map(({ id }) => [id, { enabled: false }])),
  });
  return violations
    .filter(({ impact }) => isSerious(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/**
 * What axe finds serious or critical on a page, with the first place of each. A document is given axe once, as compiling
 * it costs as much as an audit; rules that find nothing so bad are left out, and places are worked out of violations
 * only. Frames are not looked into: none of our pages frames another one of ours. `within` narrows it to a part.
 */
export async function seriousOn(page: Page, within = 'html'): Promise<string[]> {
  const found = await page.evaluate(audit, within);
  if (found) return found;
  await page.evaluate(SOURCE);
  return (await page.evaluate(audit, within))!;
}
