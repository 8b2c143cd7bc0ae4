import { bonuses as contract, exports } from '@krapao/contract/operator';
import { fromMinor, RUN_KINDS, RUN_STATES } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { chosenOf } from '../../platform/http/choices.ts';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { progressOf } from './run-verdict.ts';
import { exportRuns, type ListedRun, listRuns, RUN_KEYS, type RunFilter } from './runs-queries.ts';

type ListQuery = Omit<Static<typeof contract.listRuns.query>, 'page' | 'limit'>;

const filterOf = ({ member, bonus, state, kind }: ListQuery): RunFilter => ({
  // A text that is not a number is no member's id.
  memberId: member === undefined ? null : /^\d{1,18}$/.test(member) ? member : '0',
  bonus: bonus ?? null,
  states: chosenOf(state, RUN_STATES),
  kinds: chosenOf(kind, RUN_KINDS),
});

const view = (row: ListedRun) => ({
  id: row.id,
  member: { id: String(row.member_id), name: row.member_name },
  kind: row.kind,
  bonus: row.code,
  label: row.label,
  version: row.bonus_version,
  state: row.state,
  currency: row.currency,
  deposit: row.deposit_id,
  qualifying: fromMinor(row.qualifying, row.currency),
  granted: fromMinor(row.granted, row.currency),
  taken: fromMinor(row.taken, row.currency),
  startedAt: row.started_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  endedBy: row.ended_by,
  stuckSince: row.stuck_since?.toISOString() ?? null,
  progress: row.standing === null ? null : progressOf({ ...row, standing: row.standing }),
});

/** Answers the lists of runs. */
export function runListCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  declare(contract.listRuns, async ({ query }) => {
    const { rows, page } = await summedPage(query, { keys: RUN_KEYS, standard: '-id' }, (slice, counted) =>
      listRuns(deps.reads, filterOf(query), slice, counted),
    );
    return { runs: rows.map(view), ...page };
  });
  declare(exports.exportRuns, ({ params, query, actor, reply }) =>
    sendExport(deps, { actor, reply, name: 'runs', ...params, filters: query }, exportRuns(filterOf(query))),
  );
}
