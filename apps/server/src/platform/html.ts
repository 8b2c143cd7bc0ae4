import { HTML_LINK_SCHEMES, HTML_TAGS } from '@krapao/contract/html';
import sanitizeHtml from 'sanitize-html';

const ALLOWED = {
  allowedTags: [...HTML_TAGS],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: [...HTML_LINK_SCHEMES],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
} as const satisfies sanitizeHtml.IOptions;

/**
 * HTML that operators write, with what could do harm taken out: plain text tags and https links stay; scripts, styles,
 * handlers, SVG, frames and javascript: or data: addresses go. Cleaned when stored and when answered; screens clean
 * once more, by the same list.
 */
export const cleanHtml = (markup: string): string => sanitizeHtml(markup, { ...ALLOWED });

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Returns plain text: markup removed, entities decoded. */
export const plainText = (markup: string): string =>
  sanitizeHtml(markup, { allowedTags: [], allowedAttributes: {}, disallowedTagsMode: 'discard' }).replace(
    /&(lt|gt|quot|amp);/g,
    (entity) => ENTITIES[entity]!,
  );

/** Applies `cleanHtml` to every text inside a JSON value. */
export function cleanContent(value: unknown): unknown {
  if (typeof value === 'string') return cleanHtml(value);
  if (Array.isArray(value)) return value.map(cleanContent);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleanContent(part)]));
}
