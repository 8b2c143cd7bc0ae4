import { wheel } from '@krapao/contract/member';
import type { Language, RefusalsOf } from '@krapao/contract/shared';
import { RespondedBefore, readBalance, respondOnce, type Saved } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { cleanHtml } from '../../platform/html.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { asResult } from '../../platform/http/success.ts';
import { newId } from '../../platform/ids.ts';
import type { Intent } from '../../platform/intent.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { type CoinDeps, reckonCoins } from '../coins/read.ts';
import { countRedeemable } from '../coupons/read.ts';
import { requireMayPlay } from '../limits/read.ts';
import { draw } from './draw.ts';
import { spinItem } from './ledger.ts';
import { findTurning, isTurning, type SliceRow, type TurningWheel } from './queries.ts';

export interface WheelDeps extends CoinDeps {
  clock: Clock;
  config: Config;
}

/** How often is drawn again because the wheel or its stock has changed meanwhile. */
const TRIES = 20;

/** What is out of stock is out of the draw. */
export const weightsOf = (slices: readonly Pick<SliceRow, 'weight' | 'left'>[]): number[] =>
  slices.map(({ weight, left }) => (left === 0n ? 0 : weight));

const turningFor = (deps: WheelDeps, member: Member): Promise<TurningWheel | undefined> =>
  deps.settings.get('wheel.active') ? findTurning(deps.pool, member.currency) : Promise.resolve(undefined);

/** Names what a member is shown of a wheel: its slices, their prizes and chances, and the cost. */
const versionOf = ({ id, version }: TurningWheel): string => `${id}.${version}`;

function wheelView(wheel: TurningWheel, language: Language, showOdds: boolean) {
  const weights = weightsOf(wheel.slices);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const percent = (weight: number) => (total === 0 ? 0 : Math.round((weight / total) * 10_000) / 100);
  return {
    version: versionOf(wheel),
    name: wheel.name[language],
    costPerSpin: wheel.cost_per_spin,
    slices: wheel.slices.map((slice, position) => ({
      code: slice.code,
      label: slice.label[language],
      bgColor: slice.bg_color,
      textColor: slice.text_color,
      htmlDescription: cleanHtml(slice.html[language]),
      ...(showOdds ? { odds: percent(weights[position]!) } : {}),
    })),
  };
}

/** What coins are given for; null while none are. */
function earningOf({ settings }: WheelDeps, { currency }: Member) {
  const [deposit, dayMax] = [settings.get('coin.deposit')[currency], settings.get('coin.dayMax')];
  return deposit > 0 && dayMax > 0 ? { deposit, dayMax } : null;
}

/** The response to a spin, without the coins left. Stores the texts of all languages: a repeat gets its own. */
type Kept = Pick<SliceRow, 'code' | 'label' | 'prize_kind' | 'prize_name'>;

/** Takes the coins and stores what was drawn in one transaction; false when it was drawn from what is not any more. */
async function post(
  refuse: Refuse<'NOT_ENOUGH_COIN'>,
  deps: WheelDeps,
  member: Member,
  { wheel, slice, weights }: { wheel: TurningWheel; slice: SliceRow; weights: number[] },
  intent: Intent | null,
): Promise<bigint | null> {
  const now = deps.clock.now();
  const id = newId('SP', now);
  const { code, label, prize_kind, prize_name } = slice;
  const kept: Kept = { code, label, prize_kind, prize_name };
  const outcome = await deps.ledger.post(
    spinItem({
      id,
      couponId: newId('CP', now),
      at: now,
      member,
      spent: await deps.systemAccount('coin_spent', 'COIN'),
      wheel,
      slice,
      weights,
      saved: intent ? { ...intent, state: 'DONE', response: kept } : undefined,
    }),
  );
  if (outcome.state === 'posted') return outcome.balanceMinor;
  if (outcome.state === 'answered') throw new RespondedBefore();
  if (outcome.state === 'insufficient') throw refuse('NOT_ENOUGH_COIN');
  if (outcome.state === 'refused' && outcome.body.message === 'STALE') return null;
  throw new Error(`spin ended as ${outcome.state}`);
}

const replyOf = ({ code, label, prize_kind, prize_name }: Kept, coins: bigint, language: Language) => ({
  code,
  label: label[language],
  remainingCoin: Number(coins),
  prize: prize_kind && prize_name && { name: prize_name[language], kind: prize_kind },
});

/** Spins the wheel that turns. Throws SPINWHEEL_CHANGED when it is not of the `version` that was shown, if any. */
async function spinOnce(
  refuse: Refuse<RefusalsOf<typeof wheel.spin>>,
  deps: WheelDeps,
  member: Member,
  { intent, language, version }: { intent: Intent | null; language: Language; version?: string | undefined },
) {
  await reckonCoins(deps, member.id);
  for (let time = 0; time < TRIES; time++) {
    const wheel = await turningFor(deps, member);
    const weights = wheel ? weightsOf(wheel.slices) : [];
    const position = draw(weights);
    if (!wheel || position === null) throw refuse('SPINWHEEL_INACTIVE');
    if (version !== undefined && version !== versionOf(wheel)) throw refuse('SPINWHEEL_CHANGED');
    await requireMayPlay(refuse, deps, member);
    const slice = wheel.slices[position]!;
    const coins = await post(refuse, deps, member, { wheel, slice, weights }, intent);
    if (coins !== null) return replyOf(slice, coins, language);
  }
  throw refuse('PROVIDER_UNAVAILABLE', undefined, 'stock still changing');
}

/** Answers the wheel: what it looks like, whether it turns, and a spin. */
export function wheelCalls(declare: Declare, deps: WheelDeps): void {
  declare(wheel.spinwheelActive, async ({ member }) => ({
    isActive: deps.settings.get('wheel.active') && (await isTurning(deps.pool, member.currency)),
    coupons: await countRedeemable(deps.pool, member.id, deps.clock.now()),
  }));
  declare(wheel.setup, async ({ member, request }) => {
    await reckonCoins(deps, member.id);
    const wheel = await turningFor(deps, member);
    const { balanceMinor } = await readBalance(deps.pool, member.coinAccount);
    const language = languageOf(request, deps.config.variant);
    const activeSpinwheel = wheel ? wheelView(wheel, language, deps.settings.get('wheel.odds')) : null;
    const result = { activeSpinwheel, userCoin: Number(balanceMinor), earning: earningOf(deps, member) };
    return { success: true, result };
  });
  declare(wheel.spin, ({ member, intent, query, request, refuse }) => {
    const language = languageOf(request, deps.config.variant);
    // The account a spin's item watches is the coins', so this is what was left after it.
    const build = ({ response, walletAfterMinor }: Saved) =>
      replyOf(response as Kept, walletAfterMinor ?? 0n, language);
    return asResult(() =>
      respondOnce(deps, intent, { build }, () =>
        spinOnce(refuse, deps, member, { intent, language, ...query }),
      ),
    );
  });
}
