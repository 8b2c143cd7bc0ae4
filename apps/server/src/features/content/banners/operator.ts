import { banners as contract } from '@krapao/contract/operator';
import { MEMBER_PATHS } from '@krapao/contract/pages';
import { localized } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { actorName, writeAudit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool, PoolClient } from '../../../platform/database/db.ts';
import { entityRef } from '../../../platform/entity-ref.ts';
import { cleanHtml, plainText } from '../../../platform/html.ts';
import type { OperatorDeclare } from '../../../platform/http/declare-operator.ts';
import type { JobSet } from '../../../platform/jobs.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { reorder } from '../../../platform/reorder.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import { lockFilesById } from '../read.ts';
import {
  type BannerRow,
  type BannerTerms,
  type BannerTexts,
  insertBanner,
  listBanners,
  lockBanner,
  lockBanners,
  logTurns,
  orderBanners,
  writeBanner,
} from './queries.ts';

interface BannerOperatorDeps {
  pool: Pool;
  clock: Clock;
}

const wrong = (field: string) => new Refusal('INVALID_REQUEST', { field });

/**
 * An https address, a page behind the login, or nothing; a public page would end the session of the member who opens
 * it. A stored link may stay as it is. Throws INVALID_REQUEST otherwise.
 */
function linkOf(text: string, stored: string): string {
  const link = text.trim();
  const isAddress = /^https:\/\//i.test(link) && URL.canParse(link);
  const isPage = MEMBER_PATHS.some((path) => path === link);
  if (link !== '' && link !== stored && !isAddress && !isPage) throw wrong('link');
  return link;
}

function momentOf(text: string | null, field: string): Date | null {
  if (text === null) return null;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw wrong(field);
  return moment;
}

/** The words as they are stored: titles plain, markup cleaned. Throws INVALID_REQUEST for a title that is none. */
function textsOf(words: BannerTexts): BannerTexts {
  const clean = (of: BannerTexts['th']) => {
    const title = plainText(of.title).trim();
    if (title === '') throw wrong('title');
    return { title, html: cleanHtml(of.html).trim(), picture: of.picture };
  };
  return localized((language) => clean(words[language]));
}

/** Whether every named picture is stored, and the banner is not empty in any language. */
async function requirePictures(tx: PoolClient, words: BannerTexts): Promise<void> {
  const named = Object.values(words).flatMap(({ picture }) => picture ?? []);
  const files = await lockFilesById(tx, named);
  if (named.some((id) => files.get(id)?.type !== 'image/jpeg')) throw wrong('picture');
  if (Object.values(words).some(({ html, picture }) => html === '' && !(picture ?? words.th.picture)))
    throw wrong('picture');
}

type Intent = Omit<Static<typeof contract.addBanner.body>, 'place' | 'reason'>;

async function termsOf(tx: PoolClient, intent: Intent, stored = ''): Promise<BannerTerms> {
  const [startsAt, endsAt] = [momentOf(intent.startsAt, 'startsAt'), momentOf(intent.endsAt, 'endsAt')];
  if (startsAt && endsAt && endsAt <= startsAt) throw wrong('endsAt');
  const words = textsOf(intent.words);
  await requirePictures(tx, words);
  return { words, link: linkOf(intent.link, stored), isOpen: intent.isOpen, startsAt, endsAt };
}

const view = (row: BannerRow) => ({
  words: row.words,
  link: row.link,
  isOpen: row.is_open,
  startsAt: row.starts_at?.toISOString() ?? null,
  endsAt: row.ends_at?.toISOString() ?? null,
});

function stateOf(row: BannerRow, now: Date): 'SHOWN' | 'WAITS' | 'OVER' | 'OFF' {
  if (!row.is_open) return 'OFF';
  if (row.ends_at && row.ends_at <= now) return 'OVER';
  return row.starts_at && row.starts_at > now ? 'WAITS' : 'SHOWN';
}

/** A little more than the minute between two reads: a repeated change is read twice, a skipped one would be missed. */
const TURN_SECONDS = 75;

/** Banners appear and end by the clock of the viewer. */
export function bannerJobs({ pool, clock }: BannerOperatorDeps): JobSet {
  return {
    tasks: { 'banners.turn': () => logTurns(pool, clock.now(), TURN_SECONDS) },
    everyMinute: ['banners.turn'],
  };
}

/** Answers the calls about banners. */
export function bannerOperatorCalls(declare: OperatorDeclare, { pool, clock }: BannerOperatorDeps): void {
  declare(contract.listBanners, async () => ({
    banners: (await listBanners(pool)).map((row) => ({
      id: String(row.id),
      place: row.place,
      ...view(row),
      state: stateOf(row, clock.now()),
      version: row.version,
      changedBy: row.changed_by,
      changedAt: row.changed_at.toISOString(),
    })),
  }));
  declare(contract.addBanner, ({ body: { place, reason, ...intent }, actor }) =>
    inTransaction(pool, async (tx) => {
      await lockBanners(tx);
      const terms = await termsOf(tx, intent);
      const now = clock.now();
      const id = await insertBanner(tx, place, { ...terms, by: actorName(actor), now });
      const auditEntry = {
        action: 'banner.add',
        subject: entityRef('banner', id),
        after: { place, ...intent },
      };
      await writeAudit(tx, actor, { ...auditEntry, reason }, now);
      return { id: String(id) };
    }),
  );
  declare(contract.changeBanner, async ({ params, body: { reason, version, ...intent }, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const row = await lockBanner(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      if (row.version !== version) throw refuse('ROW_CHANGED');
      const terms = await termsOf(tx, intent, row.link);
      const now = clock.now();
      await writeBanner(tx, row.id, { ...terms, by: actorName(actor), now });
      const auditEntry = {
        action: 'banner.change',
        subject: entityRef('banner', row.id),
        before: view(row),
        after: intent,
      };
      await writeAudit(tx, actor, { ...auditEntry, reason }, now);
    });
    return { message: 'OK' };
  });
  declare(contract.orderBanners, ({ body: { place, ids }, actor, refuse }) =>
    reorder(refuse, { pool, clock }, actor, ids, {
      audit: { action: 'banner.order', subject: entityRef('banner', place) },
      lock: async (tx) => {
        await lockBanners(tx);
        return (await listBanners(tx)).flatMap((row) => (row.place === place ? String(row.id) : []));
      },
      write: orderBanners,
    }),
  );
}
