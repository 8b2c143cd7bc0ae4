import { bonuses } from '@krapao/contract/member';
import { networksOf } from '../../platform/http/caller.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { windowIsFull } from '../../platform/limits.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { requireMayPlay } from '../limits/read.ts';
import { type BonusCallDeps, readActive } from './active.ts';
import type { Holder } from './deps.ts';
import { offerOf, readMeans } from './offers.ts';
import { type BonusRow, countReceived, findOffered, hasUsedCode, isFull } from './queries.ts';
import { startRun } from './start.ts';

const WINDOW_MS = 15 * 60_000;
/** Unknown codes in a window: of one member, and of all callers behind one address, which many phones share. */
const MISSES = { member: 10, address: 100 };

/** However a code is written. */
const codeOf = (typed: string): string => typed.trim().toUpperCase();

/**
 * Returns the promotion of a code. Throws PROMOTION_RECEIVED for a code for one person that the member has used, and
 * NO_PROMOTION while none is on offer, and counts that against the caller: before the lookup, so that parallel guesses
 * cannot exceed the limit; REQUEST_LIMIT after too many.
 */
async function findPromotion(
  refuse: Refuse<'NO_PROMOTION' | 'PROMOTION_RECEIVED'>,
  deps: BonusCallDeps,
  { member, address }: { member: Holder; address: string },
  code: string,
): Promise<BonusRow> {
  const windows = [
    { key: `promotion:${member.id}`, max: MISSES.member, ms: WINDOW_MS },
    ...networksOf(address).map(({ network, times }) => ({
      key: `promotion-address:${network}`,
      max: MISSES.address * times,
      ms: WINDOW_MS,
    })),
  ];
  const now = deps.clock.now();
  const uncountAll = () => Promise.all(windows.map(({ key }) => deps.limits.giveBack(key)));
  const fits = await Promise.all(windows.map((window) => deps.limits.fits(window, now)));
  if (fits.includes(false)) {
    await uncountAll();
    throw await windowIsFull(deps.limits, windows[fits.indexOf(false)]!.key, now);
  }
  const row = await findOffered(deps.pool, now, member.currency, { kind: 'promotion', code });
  const isUsed = !row && (await hasUsedCode(deps.pool, member.id, code));
  if (!row && !isUsed) throw refuse('NO_PROMOTION');
  await uncountAll();
  if (!row) throw refuse('PROMOTION_RECEIVED');
  return row;
}

/** Answers the calls about promotions, which are bonuses hidden behind a code. */
export function promotionCalls(declare: Declare, deps: BonusCallDeps): void {
  declare(bonuses.findPromotion, async ({ member, params, request, address, refuse }) => {
    await requireMayPlay(refuse, deps, member);
    const code = codeOf(params.code);
    const row = await findPromotion(refuse, deps, { member, address }, code);
    const count = await countReceived(deps.pool, member.id, row.id, row.received_since);
    if (count >= row.max_received) throw refuse('PROMOTION_RECEIVED');
    if (await isFull(deps.pool, row)) throw refuse('BONUS_FULL');
    const language = languageOf(request, deps.config.variant);
    return { ...offerOf(row, await readMeans(deps, member), member.currency, language), code };
  });
  declare(bonuses.activatePromotion, async ({ member, params, query, request, address, refuse }) => {
    const code = codeOf(params.code);
    await findPromotion(refuse, deps, { member, address }, code);
    const language = languageOf(request, deps.config.variant);
    const { runId } = await startRun(
      refuse,
      deps,
      member,
      { kind: 'promotion', code, ...query, unknown: 'NO_PROMOTION', received: 'PROMOTION_RECEIVED' },
      language,
    );
    return { ...(await readActive(deps, member, language)), statementId: runId };
  });
  declare(bonuses.currentPromotion, async ({ member, request }) => {
    const active = await readActive(deps, member, languageOf(request, deps.config.variant));
    return active.type === 'promotion' ? active : null;
  });
}
