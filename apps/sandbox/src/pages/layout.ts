/** The frame around every page: tape, sections, languages; and the policy that lets no foreign script in. */
import { LANGUAGE_NAMES, LANGUAGES, languageTag } from '@krapao/contract/shared';
import type { FastifyReply } from 'fastify';
import { nowMs } from '../environment/clock.ts';
import { timeText } from './format.ts';
import { type Html, html, raw } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { isTextId, type LabelId } from './texts.ts';
import { type View, withQuery } from './view.ts';

export type Section = 'phone' | 'games' | 'bank' | 'control';

const SECTIONS: [Section, string, IconName][] = [
  ['phone', '/', 'phone'],
  ['games', '/games', 'dices'],
  ['bank', '/bank', 'bank'],
  ['control', '/control', 'sliders'],
];

const languages = (view: View): Html => html`<nav class="langs" aria-label="${view.say('nav.language')}">
  ${LANGUAGES.map(
    (lang) =>
      html`<a href="${withQuery(view, { lang })}" lang="${languageTag(lang)}" hreflang="${languageTag(lang)}" ${
        lang === view.lang && raw('aria-current="true"')
      }>${LANGUAGE_NAMES[lang]}</a>`,
  )}
</nav>`;

const sections = (
  view: View,
  active: Section,
): Html => html`<nav class="sections" aria-label="${view.say('nav.sections')}">
  ${SECTIONS.map(
    ([name, href, symbol]) =>
      html`<a class="chip" href="${href}" ${name === active && raw('aria-current="page"')}>${icon(symbol, 'xs')}${view.say(
        `nav.${name}`,
      )}</a>`,
  )}
</nav>`;

/** A whole page. `side` is the content beside it on wide screens, below the sections. */
export function page(
  view: View,
  parts: { active: Section; title: LabelId; side?: Html; body: Html },
): string {
  const { active, title, side, body } = parts;
  return html`<!doctype html>
<html lang="${languageTag(view.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${view.say(title)} · SANDBOX</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/parts.css">
<link rel="stylesheet" href="/assets/banks.css">
<link rel="stylesheet" href="/assets/${active}.css">
<script type="module" src="/assets/page.js"></script>
</head>
<body data-copied="${view.say('action.copied')}" data-failed="${view.say('state.failed')}">
<aside class="tape" aria-label="SANDBOX">${view.say('site.tape')}</aside>
<div class="bench ${active}">
<header class="side"><div class="top">${sections(view, active)}${languages(view)}</div>${side}</header>
<main>${body}</main>
</div>
<div id="toast" role="status" aria-live="polite"></div>
</body>
</html>`.html;
}

/** The virtual time of day; the page's script advances it unless the clock is stopped. */
export function clockFace(view: View): Html {
  const now = nowMs(view.environment);
  const frozen = view.environment.state.clock.frozenAtMs !== null;
  return html`<time data-clock="${now}" ${frozen && raw('data-frozen')}>${timeText(now)}</time>`;
}

/** An error code in the reader's words. */
export const errorBox = (view: View, code: string | null): Html | null =>
  code === null
    ? null
    : html`<p class="msg bad" role="alert">${icon('alert', 's')}<span>${view.say(isTextId(code) ? code : 'state.failed')}</span></p>`;

/** Sends a page with its policy: own scripts, styles, fonts and pictures only, without framing. */
export function sendPage(reply: FastifyReply, body: string, status = 200): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(body);
}
