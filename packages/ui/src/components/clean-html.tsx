import { HTML_LINK_SCHEMES, HTML_TAGS } from '@krapao/contract/html';
import { useMemo } from 'react';
import { useText } from '../text/text.tsx';
import styles from './clean-html.module.css';

const TAGS = new Set(HTML_TAGS.map((tag) => tag.toUpperCase()));
/** Their contents are not words and go with them. */
const DROPPED = new Set('SCRIPT STYLE TEMPLATE IFRAME OBJECT EMBED SVG MATH NOSCRIPT'.split(' '));
const LINK = new RegExp(`^(${HTML_LINK_SCHEMES.join('|')}):`, 'i');

/** Keeps the words and the plain tags of an HTML text. The server cleans by the same list; this is the second lock. */
function clean(markup: string, hold: (text: string) => string): string {
  const body = new DOMParser().parseFromString(markup, 'text/html').body;
  for (const element of [...body.querySelectorAll('*')]) {
    const name = element.nodeName.toUpperCase();
    if (DROPPED.has(name)) element.remove();
    else if (TAGS.has(name)) cleanAttributes(element);
    else element.replaceWith(...element.childNodes);
  }
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = hold(texts.currentNode.nodeValue ?? '');
  return body.innerHTML;
}

function cleanAttributes(element: Element): void {
  const href = element.getAttribute('href')?.trim();
  for (const { name } of [...element.attributes]) element.removeAttribute(name);
  if (element.nodeName === 'A' && href && LINK.test(href)) {
    element.setAttribute('href', href);
    element.setAttribute('target', '_blank');
    element.setAttribute('rel', 'noopener noreferrer');
  }
}

/** An operator's text with its plain formatting. */
export function CleanHtml({ markup }: { markup: string }) {
  const { hold } = useText();
  const html = useMemo(() => ({ __html: clean(markup, hold) }), [markup, hold]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup has just been reduced to plain tags
  return <div className={styles.text} dangerouslySetInnerHTML={html} />;
}
