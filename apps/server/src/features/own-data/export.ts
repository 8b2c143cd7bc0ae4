import { PassThrough, type Writable } from 'node:stream';
import { HOUR_MS } from '@krapao/contract/durations';
import type { FastifyInstance } from 'fastify';
import { writeTo } from '../../platform/backup/sink.ts';
import type { Budgets } from '../../platform/budget.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Whole } from '../../platform/database/column-types.ts';
import type { Pool, Sql } from '../../platform/database/db.ts';
import { pageSource, readPages } from '../../platform/database/pages.ts';
import { type CallDeps, memberDoor } from '../../platform/http/declare.ts';
import { beginDownload } from '../../platform/http/download.ts';
import type { Limits } from '../../platform/limits.ts';
import { requireWithinLimit } from '../../platform/limits.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { LISTS, listOwnAccounts, listOwnRequests, PROFILE } from './queries.ts';

export interface OwnExportDeps extends CallDeps {
  pool: Pool;
  limits: Limits;
  /** A pool whose statements may take their time. */
  backgroundPool: Pool;
  clock: Clock;
  secrets: Secrets;
  settings: Settings;
  budgets: Pick<Budgets, 'memberExports'>;
}

const HOUR_MAX = 5;

/** Writes the rows of a list as they come, so that memory stays flat however many there are. */
async function writeList(
  pool: Pool,
  list: Sql<{ page_key: unknown }, [Whole | null]>,
  memberId: bigint,
  sink: Writable,
): Promise<void> {
  let isFirst = true;
  for await (const { rows } of readPages(pool, pageSource(list, [memberId], 'page_key'))) {
    if (rows.length === 0) continue;
    await writeTo(sink, `${isFirst ? '' : ','}\n${rows.map(([row]) => row).join(',\n')}`);
    isFirst = false;
  }
}

/** All stored data of a member, as one JSON document; never a password, a token or a game's password. */
async function writeOwnData(deps: OwnExportDeps, member: Member, sink: Writable): Promise<void> {
  const { rows } = await deps.pool.query(PROFILE, [member.id]);
  const accounts = (await listOwnAccounts(deps.pool, member.id)).map((row) => ({
    bank: row.bank_code,
    number: deps.secrets.decrypt('bank-account', row.account_no_sealed),
    name: row.account_name,
    status: row.status,
    created_at: row.created_at.toISOString(),
  }));
  const requests = (await listOwnRequests(deps.pool, member.id)).map((row) => ({
    bank: row.bank_code,
    number: deps.secrets.decrypt('bank-account', row.account_no_sealed),
    name: row.account_name,
    state: row.state,
    requested_at: row.made_at.toISOString(),
    decided_at: row.checked_at?.toISOString() ?? null,
  }));
  const head = `{"made_at":"${deps.clock.now().toISOString()}",\n"profile":${rows[0]!.row_to_json}`;
  await writeTo(sink, `${head},\n"bank_accounts":${JSON.stringify(accounts)}`);
  await writeTo(sink, `,\n"bank_account_requests":${JSON.stringify(requests)}`);
  for (const [name, list] of Object.entries(LISTS)) {
    await writeTo(sink, `,\n"${name}":[`);
    await writeList(deps.backgroundPool, list, member.id, sink);
    await writeTo(sink, ']');
  }
  await writeTo(sink, '}\n');
}

/**
 * POST /api/account/export: streams the stored data of the member as one JSON file, amounts in their currency, times with
 * their offset. Five an hour and one at a time, then REQUEST_LIMIT; Overloaded while too many others are under
 * way.
 */
export function ownExport(app: FastifyInstance, deps: OwnExportDeps): void {
  const enter = memberDoor(deps);
  const members = new WeakMap<object, Member>();
  app.route({
    method: 'POST',
    url: '/api/account/export',
    schema: { hide: true } as never,
    onRequest: async (request) => {
      members.set(request, await enter(request));
    },
    handler: async (request, reply) => {
      const member = members.get(request)!;
      beginDownload(reply, deps.budgets.memberExports, String(member.id));
      const window = { key: `own-export:${member.id}`, max: HOUR_MAX, ms: HOUR_MS };
      await requireWithinLimit(deps.limits, window, deps.clock.now());
      const sink = new PassThrough();
      writeOwnData(deps, member, sink).then(
        () => sink.end(),
        (error: Error) => sink.destroy(error),
      );
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="my-data.json"')
        .send(sink);
    },
  });
}
