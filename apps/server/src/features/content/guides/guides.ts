import { site } from '@krapao/contract/member';
import { banners as contract } from '@krapao/contract/operator';
import { localized } from '@krapao/contract/shared';
import { writeAudit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { Pool } from '../../../platform/database/db.ts';
import { entityRef } from '../../../platform/entity-ref.ts';
import { plainText } from '../../../platform/html.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import type { OperatorDeclare } from '../../../platform/http/declare-operator.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { reorder } from '../../../platform/reorder.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import { lockFilesById, readFiles } from '../read.ts';
import { type GuideRow, listGuides, lockGuide, lockGuides, orderGuides, writeGuide } from './queries.ts';

export interface GuideDeps {
  pool: Pool;
  config: Config;
}

const filmsOf = (pool: Pool, rows: readonly GuideRow[]) =>
  readFiles(
    pool,
    rows.flatMap(({ video }) => video ?? []),
  );

/** Answers which guides visitors are shown. */
export function guideCall(declare: Declare, { pool, config }: GuideDeps): void {
  declare(site.listGuides, async ({ request }) => {
    const language = languageOf(request, config.variant);
    const rows = (await listGuides(pool)).filter((row) => row.is_open);
    const films = await filmsOf(pool, rows);
    return {
      guides: rows.map((row) => {
        const film = films.get(row.video ?? '');
        return {
          name: row.name,
          title: row.titles[language] || null,
          video: film ? { path: film.path, type: film.type } : null,
        };
      }),
    };
  });
}

const termsOf = (row: GuideRow) => ({ titles: row.titles, video: row.video, isOpen: row.is_open });

/** Answers operators' calls about the guides. */
export function guideOperatorCalls(
  declare: OperatorDeclare,
  { pool, clock }: { pool: Pool; clock: Clock },
): void {
  declare(contract.listGuides, async () => {
    const rows = await listGuides(pool);
    const films = await filmsOf(pool, rows);
    return {
      guides: rows.map((row) => ({
        name: row.name,
        ...termsOf(row),
        video: films.get(row.video ?? '') ?? null,
        version: row.version,
      })),
    };
  });
  declare(contract.changeGuide, async ({ params, body: { reason, version, ...intent }, actor, refuse }) => {
    const titles = localized((language) => plainText(intent.titles[language]).trim());
    const after = { titles, video: intent.video, isOpen: intent.isOpen };
    await inTransaction(pool, async (tx) => {
      const row = await lockGuide(tx, params.name);
      if (!row) throw refuse('NO_DATA');
      if (row.version !== version) throw refuse('ROW_CHANGED');
      const film = after.video === null ? null : (await lockFilesById(tx, [after.video])).get(after.video);
      if (film !== null && !film?.type.startsWith('video/'))
        throw new Refusal('INVALID_REQUEST', { field: 'video' });
      await writeGuide(tx, row.name, after);
      const auditEntry = {
        action: 'guide.change',
        subject: entityRef('guide', row.name),
        before: termsOf(row),
        after,
      };
      await writeAudit(tx, actor, { ...auditEntry, reason }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(contract.orderGuides, ({ body, actor, refuse }) =>
    reorder(refuse, { pool, clock }, actor, body.names, {
      audit: { action: 'guide.order', subject: entityRef('guide', 'all') },
      lock: async (tx) => {
        await lockGuides(tx);
        return (await listGuides(tx)).map((row) => row.name);
      },
      write: orderGuides,
    }),
  );
}
