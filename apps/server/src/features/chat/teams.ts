import { chat as contract } from '@krapao/contract/operator';
import { CHAT_TEAMS_MAX } from '@krapao/contract/shared';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type ChatOperatorDeps, idOf, perform, refOf } from './operator.ts';
import { listAgents } from './operator-queries.ts';
import {
  countTeams,
  findTeam,
  giveToTeam,
  insertTeam,
  isTeamName,
  listTeams,
  lockTeams,
  notifyTeams,
  removeTeam,
  renameTeam,
  setMembers,
  type Team,
  type TeamFields,
  takeFromTeam,
} from './team-queries.ts';

const view = (team: Team) => ({ ...refOf(team), members: team.members.map(refOf) });

/** What a team is to be; NO_DATA when a member is not an operator who may respond. */
async function fieldsOf(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  body: { name: string; members: readonly string[] },
  actor: Actor,
  now: Date,
): Promise<TeamFields> {
  const name = body.name.trim();
  if (name === '') throw new Refusal('INVALID_REQUEST', { field: 'name' });
  const memberIds = body.members.map((id) => idOf(refuse, id));
  const agents = new Set((await listAgents(tx)).map(({ id }) => id));
  if (!memberIds.every((id) => agents.has(id))) throw refuse('NO_DATA');
  return { name, memberIds, by: actorName(actor), now };
}

function keepCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  const { pool, clock } = deps;
  declare(contract.addTeam, ({ body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      await lockTeams(tx);
      const fields = await fieldsOf(refuse, tx, body, actor, now);
      if ((await countTeams(tx)) >= CHAT_TEAMS_MAX)
        throw new Refusal('INVALID_REQUEST', { max: CHAT_TEAMS_MAX });
      if (await isTeamName(tx, fields.name, null)) throw refuse('CODE_TAKEN');
      const id = await insertTeam(tx, fields);
      await setMembers(tx, id, fields.memberIds);
      const subject = entityRef('chat-team', id);
      await writeAudit(tx, actor, { action: 'chat.team.save', subject, after: await findTeam(tx, id) }, now);
      await notifyTeams(tx);
      return { id: String(id) };
    }),
  );
  declare(contract.saveTeam, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      const id = idOf(refuse, params.id);
      await lockTeams(tx);
      const fields = await fieldsOf(refuse, tx, body, actor, now);
      const before = await findTeam(tx, id);
      if (!before) throw refuse('NO_DATA');
      if (await isTeamName(tx, fields.name, id)) throw refuse('CODE_TAKEN');
      await renameTeam(tx, id, fields);
      await setMembers(tx, id, fields.memberIds);
      const trail = { action: 'chat.team.save', subject: entityRef('chat-team', id), before };
      await writeAudit(tx, actor, { ...trail, after: await findTeam(tx, id) }, now);
      await notifyTeams(tx);
      return { message: 'OK' };
    }),
  );
  declare(contract.removeTeam, ({ params, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const id = idOf(refuse, params.id);
      await lockTeams(tx);
      const before = await findTeam(tx, id);
      if (!before) throw refuse('NO_DATA');
      await removeTeam(tx, id);
      const trail = { action: 'chat.team.remove', subject: entityRef('chat-team', id), before };
      await writeAudit(tx, actor, trail, clock.now());
      await notifyTeams(tx);
      return { message: 'OK' };
    }),
  );
}

/** Serves teams: who works together on conversations, and which conversations are theirs. */
export function chatTeamCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  declare(contract.listTeams, async () => {
    const { teams, agents } = await listTeams(deps.pool);
    return { teams: teams.map(view), agents: agents.map(refOf) };
  });
  keepCalls(declare, deps);
  declare(contract.giveChatToTeam, ({ params, body, actor, refuse }) => {
    const trail = { id: params.id, action: 'team', after: { team: body.team } };
    return perform(refuse, deps, actor, trail, async (tx, _chat, id) => {
      if (body.team === null) await takeFromTeam(tx, id);
      else if (!(await giveToTeam(tx, id, idOf(refuse, body.team)))) throw refuse('NO_DATA');
    });
  });
}
