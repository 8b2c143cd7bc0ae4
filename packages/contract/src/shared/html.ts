/** The tags that text written by operators may have; everything else goes, where it is stored and where it is shown. */
export const HTML_TAGS = [
  'a',
  'b',
  'blockquote',
  'br',
  'em',
  'h3',
  'h4',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'span',
  'strong',
  'u',
  'ul',
] as const;

/** Where a link in such text may lead. */
export const HTML_LINK_SCHEMES = ['https', 'tel', 'mailto'] as const;

/** Whether such HTML shows no letter: nothing but tags and spaces. */
export const isBlankHtml = (markup: string): boolean => markup.replace(/<[^>]*>|&nbsp;/g, '').trim() === '';
