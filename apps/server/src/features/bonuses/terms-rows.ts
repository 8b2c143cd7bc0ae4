import { BonusTerms } from '@krapao/contract/operator';
import { arePlayable } from '@krapao/contract/playable';
import { CURRENCY_DECIMALS, type Currency, fromMinor, localized, toMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { cleanHtml, plainText } from '../../platform/html.ts';

export type Terms = Static<typeof BonusTerms>;

/** Columns of a bonus by name, from the terms; amounts in minor units. */
type TermColumns = Record<string, unknown>;

/** Terms that cannot be worked with, and why. */
export class BadTerms extends Error {}

/** Validates the terms of a bonus; throws BadTerms with the first field that is wrong. */
export function readTerms(written: unknown): Terms {
  if (!Check(BonusTerms, written)) {
    const [, [first]] = Errors(BonusTerms, written);
    throw new BadTerms(`${first?.instancePath || '/'}: ${first?.message ?? 'not as it must be'}`);
  }
  const terms = written as Terms;
  if ('percent' in terms.award && !terms.deposit)
    throw new BadTerms('/deposit: percent of a deposit needs one');
  if (terms.deposit?.most && terms.deposit.most < terms.deposit.least)
    throw new BadTerms('/deposit: most lies below least');
  if (terms.kind === 'promotion' && (terms.countBy !== 'limit' || terms.maxReceived !== 1))
    throw new BadTerms('/maxReceived: a promotion is received once');
  if (terms.kind === 'bonus' && terms.codes === 'single')
    throw new BadTerms('/codes: a bonus is received without one');
  if (terms.isOpen && !arePlayable(terms))
    throw new BadTerms('/games: none is allowed in which the terms can be met');
  if (terms.banners.some(({ image }) => !/^\/(media|art)\/[\w./-]+$/.test(image)))
    throw new BadTerms('/banners: not a stored picture');
  const [starts, ends] = [terms.startsAt, terms.endsAt].map((time) => time && Date.parse(time));
  if (Number.isNaN(starts) || Number.isNaN(ends) || (starts && ends && ends <= starts))
    throw new BadTerms('/endsAt: not a time after the start');
  return terms;
}

function minorOf(amount: number | null | undefined, currency: Currency): bigint | null {
  if (amount === null || amount === undefined) return null;
  const minor = toMinor(amount, currency);
  if (minor === null) throw new BadTerms(`${amount} has more than ${CURRENCY_DECIMALS[currency]} decimals`);
  return minor;
}

/** Html as it may be shown, in each language. */
const cleanTexts = (texts: Terms['description']): Terms['description'] =>
  localized((language) => cleanHtml(texts[language]));

/** The terms as a bonus row keeps them. */
export function columnsOf(terms: Terms): TermColumns {
  const { currency, award, deposit } = terms;
  const percent = 'percent' in award ? award : null;
  return {
    code: terms.code,
    kind: terms.kind,
    currency,
    title: JSON.stringify(terms.title),
    description: JSON.stringify(cleanTexts(terms.description)),
    banners: JSON.stringify(terms.banners.map((one) => ({ ...one, html: cleanTexts(one.html) }))),
    award: percent ? 'percent' : 'fixed',
    award_amount: 'fixed' in award ? minorOf(award.fixed, currency) : null,
    award_percent: percent?.percent ?? null,
    award_max: minorOf(percent?.most, currency),
    deposit_min: minorOf(deposit?.least, currency),
    deposit_max: minorOf(deposit?.most, currency),
    success_percent: terms.successPercent,
    fail_percent: terms.failPercent,
    turnover_percent: Math.round(terms.turnoverTimes * 100),
    games: terms.games && JSON.stringify(terms.games),
    withdraw_max: minorOf(terms.withdrawMost, currency),
    days: terms.days,
    // A promotion is received once.
    count_by: terms.kind === 'promotion' ? 'limit' : terms.countBy,
    max_received: terms.kind === 'promotion' ? 1 : terms.maxReceived,
    quota: terms.quota,
    single_codes: terms.codes === 'single',
    is_open: terms.isOpen,
    starts_at: terms.startsAt,
    ends_at: terms.endsAt,
  };
}

/** The database keeps the keys of JSON in an order of its own; people read Thai first. */
const inOrder = (texts: Terms['title']): Terms['title'] => localized((language) => texts[language]);

/** A bonus row as JSON has it, as the terms it was written from. */
export function termsOf(row: Record<string, unknown>): Terms {
  const currency = row.currency as Currency;
  const money = (name: string) =>
    row[name] === null ? null : fromMinor(BigInt(row[name] as number), currency);
  const time = (name: string) => (row[name] === null ? null : new Date(row[name] as string).toISOString());
  const as = <Name extends keyof Terms>(name: string) => row[name] as Terms[Name];
  return {
    code: as<'code'>('code'),
    kind: as<'kind'>('kind'),
    currency,
    title: inOrder(as<'title'>('title')),
    description: inOrder(as<'description'>('description') ?? localized(() => '')),
    banners: as<'banners'>('banners').map(({ image, html }) => ({ image, html: inOrder(html) })),
    award:
      row.award === 'percent'
        ? { percent: row.award_percent as number, most: money('award_max') }
        : { fixed: money('award_amount')! },
    deposit: row.deposit_min === null ? null : { least: money('deposit_min')!, most: money('deposit_max') },
    successPercent: as<'successPercent'>('success_percent'),
    failPercent: as<'failPercent'>('fail_percent'),
    turnoverTimes: (row.turnover_percent as number) / 100,
    games: as<'games'>('games'),
    withdrawMost: money('withdraw_max'),
    days: as<'days'>('days'),
    countBy: as<'countBy'>('count_by'),
    maxReceived: as<'maxReceived'>('max_received'),
    quota: as<'quota'>('quota'),
    codes: row.single_codes ? 'single' : 'shared',
    isOpen: as<'isOpen'>('is_open'),
    startsAt: time('starts_at'),
    endsAt: time('ends_at'),
  };
}

/** The default of a term that is not set. */
export const NONE = '–';

const bounds = (least: number | null, most: number | null): string =>
  [least !== null && `≥ ${least}`, most !== null && `≤ ${most}`].filter(Boolean).join(', ') || NONE;

/** Terms in figures and signs that read alike in every language; money in the currency of the terms. */
export function factsOf(terms: Terms): Record<keyof Terms, string> {
  const { award, deposit, games } = terms;
  return {
    code: terms.code,
    kind: terms.kind,
    currency: terms.currency,
    title: terms.title.th,
    description: plainText(terms.description.th).slice(0, 80),
    banners: String(terms.banners.length),
    award: 'fixed' in award ? String(award.fixed) : `${award.percent} % ${bounds(null, award.most)}`,
    deposit: bounds(deposit?.least ?? null, deposit?.most ?? null),
    successPercent: `${terms.successPercent} %`,
    failPercent: `${terms.failPercent} %`,
    turnoverTimes: `${terms.turnoverTimes} ×`,
    games: games
      ? Object.entries(games)
          .map(([code, weight]) => `${code} ${weight} %`)
          .join(', ')
      : NONE,
    withdrawMost: bounds(null, terms.withdrawMost),
    days: String(terms.days),
    countBy: terms.countBy,
    maxReceived: String(terms.maxReceived),
    quota: terms.quota === null ? NONE : String(terms.quota),
    codes: terms.codes ?? 'shared',
    isOpen: String(terms.isOpen),
    startsAt: terms.startsAt ?? NONE,
    endsAt: terms.endsAt ?? NONE,
  };
}
