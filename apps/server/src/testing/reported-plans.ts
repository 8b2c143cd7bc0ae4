import pg from 'pg';
import { afterAll } from 'vitest';
import { type TestEnv, until } from './test-env.ts';

/** No step of a plan needs more: pages and batches have 100 rows at most. */
const ROWS_MAX = 150;

/** A step of a plan, as `auto_explain` reports it. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  /** Rows that an inexact index, such as BRIN, led to. */
  'Rows Removed by Index Recheck'?: number;
  Plans?: Step[];
}

/** The member's own rows, counted for the number of pages of a list. */
const isTotal = (query: string): boolean =>
  /^select count\(\*\)::int as count from \w+ where member_id = \$1$/.test(query);

/** The steps that read more rows than any needs. */
function wideSteps(step: Step): string[] {
  const {
    'Rows Removed by Filter': filtered = 0,
    'Rows Removed by Join Filter': unjoined = 0,
    'Rows Removed by Index Recheck': rechecked = 0,
  } = step;
  const rows = step['Actual Loops'] * (step['Actual Rows'] + filtered + unjoined + rechecked);
  const name = `${step['Node Type']} ${step['Relation Name'] ?? ''}: ${rows} rows`;
  return [...(rows > ROWS_MAX ? [name] : []), ...(step.Plans ?? []).flatMap(wideSteps)];
}

/** What the plans of a server's statements read. */
export interface ReportedPlans {
  /** Only the superuser can write rows without what they refer to, and have plans reported. */
  superuser: pg.Client;
  /** Statements seen, also those within functions. */
  statements: Set<string>;
  /** Statements whose plan has a step with more rows than any needs, and these steps. */
  wide: Map<string, string[]>;
  /** From now on every connection of the server plans for any parameters, and reports the rows of each step. */
  start(): Promise<void>;
}

/** Watches the plans of a test environment's server; call it at the file's top level. */
export async function reportedPlans(env: Pick<TestEnv, 'pool' | 'owner'>): Promise<ReportedPlans> {
  const superuser = new pg.Client({ ...env.owner.options, user: 'postgres' });
  await superuser.connect();
  afterAll(() => superuser.end());
  const statements = new Set<string>();
  const wide = new Map<string, string[]>();
  function examine(notice = ''): void {
    const text = /plan:\n(\{.*)$/s.exec(notice)?.[1];
    if (!text) return;
    const { 'Query Text': query, Plan: plan } = JSON.parse(text) as { 'Query Text': string; Plan: Step };
    statements.add(query);
    const steps = wideSteps(plan);
    if (steps.length > 0 && !isTotal(query)) wide.set(query.replaceAll(/\s+/g, ' ').trim(), steps);
  }
  async function start(): Promise<void> {
    const { rows } = await superuser.query('select current_database() as name');
    for (const [key, value] of Object.entries({
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
      plan_cache_mode: 'force_generic_plan',
    }))
      await superuser.query(`alter database ${rows[0].name} set ${key} = '${value}'`);
    env.pool.on('connect', (client) => client.on('notice', ({ message }) => examine(message)));
    await superuser.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await until(async () => {
      await env.pool.query('select 1').catch(() => undefined);
      return statements.size > 0 && env.pool.idleCount === env.pool.totalCount;
    });
  }
  return { superuser, statements, wide, start };
}
