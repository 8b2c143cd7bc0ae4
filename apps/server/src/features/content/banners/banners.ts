import { site } from '@krapao/contract/member';
import type { Language } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { Pool } from '../../../platform/database/db.ts';
import { cleanHtml } from '../../../platform/html.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { findExclusion } from '../../limits/read.ts';
import { readContent, readFiles } from '../read.ts';
import { type BannerPlace, listShown } from './queries.ts';

export interface BannerDeps {
  pool: Pool;
  config: Config;
  clock: Clock;
}

/**
 * Returns the banners of a place in a language; the Thai picture replaces a missing one.
 * An excluded member is offered nothing.
 */
async function shownIn(deps: BannerDeps, member: { id: bigint }, place: BannerPlace, language: Language) {
  if (await findExclusion(deps.pool, member.id, deps.clock.now())) return [];
  const rows = await listShown(deps.pool, place, deps.clock.now());
  const pictureOf = (row: (typeof rows)[number]) => row.words[language].picture ?? row.words.th.picture;
  const files = await readFiles(
    deps.pool,
    rows.flatMap((row) => pictureOf(row) ?? []),
  );
  return rows.map((row) => ({
    id: String(row.id),
    title: row.words[language].title,
    image: files.get(pictureOf(row) ?? '')?.path ?? '',
    html: cleanHtml(row.words[language].html),
    link: row.link,
  }));
}

/** Answers what operators put on members' screens. */
export function bannerCalls(declare: Declare, deps: BannerDeps): void {
  const readerOf = (request: FastifyRequest) => languageOf(request, deps.config.variant);
  declare(site.homeBanners, async ({ request, member }) => {
    const language = readerOf(request);
    const [news, banners] = await Promise.all([
      readContent(deps.pool, 'news', language, deps.config.variant),
      shownIn(deps, member, 'home', language),
    ]);
    return { news: (news ?? '') as string, banners };
  });
  declare(site.inviteBanners, async ({ request, member }) => ({
    banners: await shownIn(deps, member, 'invite', readerOf(request)),
  }));
  declare(site.refundBanners, async ({ request, member }) => ({
    banners: await shownIn(deps, member, 'refund', readerOf(request)),
  }));
}
