/** HTML text that knows which parts are already safe. */

export interface Html {
  readonly html: string;
}

type Part = Html | string | number | bigint | null | undefined | false | readonly Part[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made harmless in element content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(render).join('');
  return escapeHtml(String(part));
};

/** Marks text as HTML already; only for text the sandbox itself wrote. */
export const raw = (html: string): Html => ({ html });

/** Template tag: values are escaped unless they are HTML themselves; lists are joined; null, undefined and false vanish. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  raw(strings.reduce((text, piece, index) => text + render(parts[index - 1]) + piece));
