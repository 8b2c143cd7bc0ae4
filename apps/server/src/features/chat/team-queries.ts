import type { Db, PoolClient } from '../../platform/database/db.ts';
import { listAgents } from './operator-queries.ts';

/** A team of operators; members who may no longer respond are left out. */
export interface TeamRow {
  id: bigint;
  name: string;
  member_ids: bigint[];
}

/** What a team is to be. */
export interface TeamFields {
  name: string;
  memberIds: readonly bigint[];
  by: string;
  now: Date;
}

/** A team and the operators who may respond, by their name. */
export interface Team {
  id: bigint;
  name: string;
  members: { id: bigint; name: string }[];
}

/** Teams by name, with their members, and all operators who could be members. */
export async function listTeams(db: Db): Promise<{ teams: Team[]; agents: Team['members'] }> {
  const [teams, agents] = await Promise.all([
    db.query(
      `select t.id, t.name, coalesce((select array_agg(m.operator_id) from chat_team_member m where m.team = t.id), '{}') as member_ids
       from chat_team t order by lower(t.name) limit 50`,
    ),
    listAgents(db),
  ]);
  const withMembers = ({ id, name, member_ids: ids }: TeamRow): Team => {
    const memberIds = new Set(ids);
    return { id, name, members: agents.filter((agent) => memberIds.has(agent.id)) };
  };
  return { teams: teams.rows.map(withMembers), agents };
}

/** All teams, by name. */
export async function listTeamNames(db: Db): Promise<{ id: bigint; name: string }[]> {
  return (await db.query('select id, name from chat_team order by lower(name) limit 50')).rows;
}

/** Tells every console that teams, or whose conversations are whose, have changed. */
export async function notifyTeams(tx: PoolClient): Promise<void> {
  await tx.query("select pg_notify('console', 'chats teams')");
}

/** Lets one transaction at a time change teams, so that they are counted and their names compared. */
export async function lockTeams(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('chat teams'))");
}

/** How many teams there are. */
export async function countTeams(tx: PoolClient): Promise<number> {
  return (await tx.query('select count(*)::int as count from chat_team')).rows[0]!.count;
}

/** Whether another team has this name, in capitals or not. */
export async function isTeamName(tx: PoolClient, name: string, besides: bigint | null): Promise<boolean> {
  const sql = 'select 1 as found from chat_team where lower(name) = lower($1) and id is distinct from $2';
  return (await tx.query(sql, [name, besides])).rows.length > 0;
}

/** A team with the names of its members, as the audit shows it. */
export async function findTeam(
  tx: PoolClient,
  id: bigint,
): Promise<{ name: string; members: string[] } | undefined> {
  const sql = `select t.name, array(select o.name from chat_team_member m join operator o on o.id = m.operator_id
    where m.team = t.id order by o.name) as members from chat_team t where t.id = $1`;
  return (await tx.query(sql, [id])).rows[0];
}

/** Adds a team without members. */
export async function insertTeam(tx: PoolClient, { name, by, now }: TeamFields): Promise<bigint> {
  const sql = 'insert into chat_team (name, changed_by, changed_at) values ($1, $2, $3) returning id';
  return (await tx.query(sql, [name, by, now])).rows[0]!.id;
}

/** Renames a team. */
export async function renameTeam(tx: PoolClient, id: bigint, { name, by, now }: TeamFields): Promise<void> {
  const sql = 'update chat_team set name = $2, changed_by = $3, changed_at = $4 where id = $1';
  await tx.query(sql, [id, name, by, now]);
}

/** Makes these operators the members of a team. */
export async function setMembers(tx: PoolClient, id: bigint, memberIds: readonly bigint[]): Promise<void> {
  await tx.query('delete from chat_team_member where team = $1', [id]);
  await tx.query('insert into chat_team_member (team, operator_id) select $1, unnest($2::bigint[])', [
    id,
    memberIds,
  ]);
}

/**
 * Removes a team; its conversations belong to no team then. It first waits for those who give it a conversation
 * (`chat_team_for`), then locks its conversations in the order of a merge, and the team last: PostgreSQL
 * locks the team that a conversation refers to when a transaction writes to the conversation twice.
 */
export async function removeTeam(tx: PoolClient, id: bigint): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('chat team ' || $1::bigint, 0))", [id]);
  await tx.query(
    'select 1 as locked from chat_conversation where team = $1 order by member_id nulls first, id for update',
    [id],
  );
  await tx.query('delete from chat_team where id = $1', [id]);
}

/** Gives a locked conversation to a team, unassigned; false when there is no such team. */
export async function giveToTeam(tx: PoolClient, id: bigint, team: bigint): Promise<boolean> {
  const result = await tx.query(
    `update chat_conversation c set team = t.id, assignee = null from chat_team_for($2) t(id)
     where c.id = $1 and t.id is not null`,
    [id, team],
  );
  return result.rowCount === 1;
}

/** Takes a conversation from its team; its agent keeps it. */
export async function takeFromTeam(tx: PoolClient, id: bigint): Promise<void> {
  await tx.query('update chat_conversation set team = null where id = $1', [id]);
}
