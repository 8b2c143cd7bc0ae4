import sanitizeHtml from 'sanitize-html';

/**
 * HTML that operators write, with what could do harm taken out: plain text tags and https links stay; scripts, styles,
 * handlers, SVG, frames and javascript: or data: addresses go. Cleaned when stored; screens clean again when they show it.
 */
export function cleanHtml(markup: string): string {
  return sanitizeHtml(markup, {
    allowedTags: [
      'h3',
      'h4',
      'p',
      'br',
      'b',
      'strong',
      'em',
      'i',
      'u',
      'ul',
      'ol',
      'li',
      'a',
      'span',
      'hr',
      'blockquote',
    ],
    allowedAttributes: { a: ['href'] },
    allowedSchemes: ['https', 'tel', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
  });
}

/** The same for every text inside a JSON value. */
export function cleanContent(value: unknown): unknown {
  if (typeof value === 'string') return cleanHtml(value);
  if (Array.isArray(value)) return value.map(cleanContent);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleanContent(part)]));
}
