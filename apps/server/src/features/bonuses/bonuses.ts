import { bonuses } from '@krapao/contract/member';
import {
  CURRENCY_DECIMALS,
  decimalToMinor,
  fromMinor,
  type Language,
  type RefusalsOf,
} from '@krapao/contract/shared';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { requireMayPlay } from '../limits/read.ts';
import { type BonusCallDeps, readActive } from './active.ts';
import type { BonusDeps, Holder } from './deps.ts';
import { endRun } from './end.ts';
import { offerOf, readMeans } from './offers.ts';
import { findActiveRun, listOffered, listReceived } from './queries.ts';
import { progressOf, thresholdsOf } from './run-verdict.ts';
import { startRun } from './start.ts';

type Received = Awaited<ReturnType<typeof listReceived>>;

function userBonusOf(memberId: bigint, bonusId: bigint, received: Received) {
  const own = received.filter((row) => row.bonus_id === bonusId);
  if (own.length === 0) return null;
  return {
    _id: `${bonusId}-${memberId}`,
    isActive: own.some((row) => row.is_active),
    received: own.map((row) => ({ updatedAt: row.started_at.toISOString() })),
  };
}

async function activate(
  refuse: Refuse<RefusalsOf<typeof bonuses.activateBonus>>,
  deps: BonusDeps,
  member: Holder,
  { code, version }: { code: string; version?: number | undefined },
  language: Language,
) {
  const { bonus, runId } = await startRun(
    refuse,
    deps,
    member,
    { kind: 'bonus', code, version, unknown: 'NO_DATA', received: 'BONUS_MAX_CLAIMED' },
    language,
  );
  const own = userBonusOf(member.id, bonus.id, await listReceived(deps.pool, member.id));
  if (!own) throw new Error(`bonus ${bonus.id} was received and is not there`);
  return { ...own, statementId: runId };
}

async function checkMinimum(deps: BonusDeps, member: Holder) {
  const run = await findActiveRun(deps.pool, member.id);
  if (!run) return { status: false, minimum: 0, amount: 0 };
  const { balance } = progressOf(run);
  const { floor } = thresholdsOf(run);
  return { status: run.standing <= floor, minimum: fromMinor(floor, member.currency), amount: balance };
}

/**
 * Ends the run as its member wants it. Throws BONUS_TAKES_MORE with the fresh figures, and takes nothing, when more would
 * be taken than `takenMost`, the amount the member was shown; a caller that sends none accepts any.
 */
async function end(
  refuse: Refuse<RefusalsOf<typeof bonuses.clearBonus>>,
  deps: BonusDeps,
  member: Holder,
  to: 'decide' | 'forfeit',
  { takenMost }: { takenMost?: number },
) {
  const { currency } = member;
  const most =
    takenMost === undefined ? undefined : decimalToMinor(String(takenMost), CURRENCY_DECIMALS[currency]);
  if (most === null)
    throw refuse('INVALID_REQUEST', undefined, 'an amount with more decimals than the currency');
  const { state, takenMinor, leftMinor } = await endRun(refuse, deps, member, {
    by: 'member',
    to,
    requireShown(run, decided) {
      if (most !== undefined && decided.takenMinor > most)
        throw refuse('BONUS_TAKES_MORE', {
          takes: fromMinor(decided.takenMinor, currency),
          ...progressOf(run),
        });
    },
  });
  return {
    message: 'BONUS_CLEAR',
    state,
    taken: fromMinor(takenMinor, currency),
    left: fromMinor(leftMinor, currency),
  };
}

/** Answers bonuses and the run under way. */
export function bonusCalls(declare: Declare, deps: BonusCallDeps): void {
  declare(bonuses.listBonuses, async ({ member, request, refuse }) => {
    await requireMayPlay(refuse, deps, member);
    const language = languageOf(request, deps.config.variant);
    const [offered, received, means] = await Promise.all([
      listOffered(deps.pool, deps.clock.now(), member),
      listReceived(deps.pool, member.id),
      readMeans(deps, member),
    ]);
    return offered.map((row) => ({
      ...offerOf(row, means, member.currency, language),
      type: row.count_by,
      maxReceived: row.max_received,
      userBonus: userBonusOf(member.id, row.id, received),
    }));
  });
  declare(bonuses.activateBonus, ({ member, params, query, request, refuse }) =>
    activate(refuse, deps, member, { ...params, ...query }, languageOf(request, deps.config.variant)),
  );
  declare(bonuses.checkActive, ({ member, request }) =>
    readActive(deps, member, languageOf(request, deps.config.variant)),
  );
  declare(bonuses.checkMinimum, ({ member }) => checkMinimum(deps, member));
  declare(bonuses.clearBonus, ({ member, query, refuse }) => end(refuse, deps, member, 'decide', query));
  declare(bonuses.forfeitBonus, async ({ member, query, refuse }) => {
    if (!deps.settings.get('bonus.allowForfeit')) throw refuse('UNAUTHORIZED', undefined, 'stopped');
    return end(refuse, deps, member, 'forfeit', query);
  });
}
