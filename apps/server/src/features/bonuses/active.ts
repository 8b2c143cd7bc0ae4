import type { Language } from '@krapao/contract/shared';
import { fromMinor } from '@krapao/contract/shared';
import type { Config } from '../../platform/config.ts';
import type { Limits } from '../../platform/limits.ts';
import type { BonusDeps, Holder } from './deps.ts';
import { findActiveRun } from './queries.ts';
import { progressOf } from './run-verdict.ts';

export interface BonusCallDeps extends BonusDeps {
  limits: Limits;
  config: Config;
}

/** The run under way as its member sees it, by the figures last known. */
export async function readActive(deps: BonusDeps, member: Holder, language: Language) {
  const run = await findActiveRun(deps.pool, member.id);
  if (!run) return { status: false, type: null };
  const { currency, withdraw_max: most } = run;
  return {
    status: true,
    type: run.kind,
    name: run.title?.[language] || run.label,
    ...progressOf(run),
    deposit: fromMinor(run.qualifying, currency),
    withdrawMost: most === null ? null : fromMinor(most, currency),
    games: run.games && Object.keys(run.games),
    mayForfeit: deps.settings.get('bonus.allowForfeit'),
    expiresAt: run.expires_at.toISOString(),
    isOver: run.expires_at <= deps.clock.now(),
  };
}
