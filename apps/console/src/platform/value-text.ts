import { CURRENCIES, LANGUAGES } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import { labelOf } from './error-text.ts';
import { i18n } from './i18n.ts';

/** The families of texts for a value of this name; the first that contains it is used. */
const FAMILIES: Record<string, readonly string[]> = {
  status: ['state'],
  state: ['state'],
  seen: ['state'],
  outcome: ['state'],
  from: ['state', 'role', 'perm'],
  to: ['state', 'role', 'perm'],
  role: ['role'],
  asks: ['action'],
  category: ['category'],
  direction: ['direction', 'member'],
  audience: ['views'],
  pageName: ['nav', 'reports'],
  permissions: ['perm'],
  source: ['source'],
  setting: ['setting'],
  kind: ['bonusKind', 'prizeKind', 'type', 'limits'],
  bank: ['type'],
  unit: ['channel'],
  currency: ['channel'],
  place: ['bannerPlace'],
  countBy: ['bonusCount'],
  codes: ['bonusCodes'],
  events: ['webhookEvent'],
  document: ['kycDocument'],
  documents: ['kycDocument'],
  refusal: ['kycRefusal'],
  ending: ['macroEnding'],
  period: ['schedules'],
};

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Before and after, where a request tells both. */
export const ARROW = ' → ';

function inText(t: Translate, name: string, value: string): string {
  if (value.includes(ARROW))
    return value
      .split(ARROW)
      .map((part) => inText(t, name, part))
      .join(ARROW);
  if (value === 'true' || value === 'false') return valueText(t, name, value === 'true');
  for (const family of FAMILIES[name] ?? []) {
    const label = labelOf(t, family, value);
    if (label !== value) return label;
  }
  return value;
}

const hasFields = (value: unknown, kind: string, ...names: string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === kind);
/** Member texts exist in every language; a change of one is shown in all, a name in the reader's. */
const IS_NAME = /^(?:bonus|wheel|replaces|prize|slices[A-Z]+)$/;
const isNamed = (value: unknown): value is Record<string, string> => hasFields(value, 'string', ...LANGUAGES);
const isHours = (value: unknown): value is { from: string; to: string } =>
  hasFields(value, 'string', 'from', 'to');
const isPerCurrency = (value: unknown): value is { BAHT: number; LAK: number } =>
  hasFields(value, 'number', ...CURRENCIES);

/** The value of a field of a change or a request, as readable text. */
export function valueText(t: Translate, name: string, value: unknown): string {
  // Figures are money as everywhere; whole minor units are stored as text.
  if (name === 'amount' && typeof value === 'number') return amountText(value);
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t('settings.on') : t('settings.off');
  if (typeof value === 'string') return MOMENT.test(value) ? dateTimeText(value) : inText(t, name, value);
  if (Array.isArray(value) && value.every((part) => typeof part === 'string'))
    return value.map((part) => inText(t, name, part)).join(', ') || '–';
  if (Array.isArray(value) && value.every(isHours))
    return value.map(({ from, to }) => `${from}–${to}`).join(', ');
  if (IS_NAME.test(name) && isNamed(value)) return value[i18n.locale] || value.th!;
  if (isPerCurrency(value))
    return CURRENCIES.map((currency) => CURRENCY_SYMBOL[currency] + amountText(value[currency])).join(' · ');
  if (Array.isArray(value)) return value.map((part) => valueText(t, name, part)).join(' · ') || '–';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([part, of]) => `${labelOf(t, 'sum', part)} ${valueText(t, part, of)}`)
    .join(', ');
}
