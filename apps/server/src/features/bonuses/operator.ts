import { HOUR_MS } from '@krapao/contract/durations';
import { members } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal } from '../../platform/refusal.ts';
import { actionRow } from '../approvals/read.ts';
import { type BonusDeps, holderOf } from './deps.ts';
import { endRun } from './end.ts';
import { findActiveRun, type RunRow } from './queries.ts';

/** Whether a provider has blocked the end of the run for so long that an operator may end it without it. */
function isStuck({ clock, settings }: BonusDeps, { stuck_since }: RunRow): boolean {
  const longMs = settings.get('bonus.stuckHours') * HOUR_MS;
  return stuck_since !== null && clock.now().getTime() - stuck_since.getTime() >= longMs;
}

/** Answers the end of a run by an operator. */
export function endRunCall(declare: OperatorDeclare, deps: BonusDeps): void {
  declare(members.endRun, async ({ params, body, actor, refuse }) => {
    const run = /^\d{1,18}$/.test(params.id) && (await findActiveRun(deps.pool, BigInt(params.id)));
    if (!run) throw refuse('NO_DATA');
    const endBy = (figures: 'fresh' | 'known') =>
      endRun(refuse, deps, holderOf(run), {
        by: 'operator',
        to: body.outcome,
        known: figures === 'known',
        actionOf({ id, label, standing, currency }, { state, takenMinor }) {
          const auditEntry = {
            action: 'bonus.end',
            subject: entityRef('member', run.member_id),
            before: { run: id, bonus: label, standing, currency },
            after: { state, taken: takenMinor, figures, currency },
            reason: body.reason,
          };
          return actionRow(actor, auditEntry, { at: deps.clock.now() });
        },
      });
    const end = await endBy('fresh').catch((error: unknown) => {
      const isSilent = error instanceof Refusal && error.code === 'PROVIDER_UNAVAILABLE';
      if (!isSilent || body.figures !== 'known' || !isStuck(deps, run)) throw error;
      return endBy('known');
    });
    return { state: end.state, taken: fromMinor(end.takenMinor, run.currency) };
  });
}
