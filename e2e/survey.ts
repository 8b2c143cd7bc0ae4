/** What a script can see on a page: run in the page itself, so each function uses only what is given here. */
import type { Page } from '@playwright/test';

/** What is wrong with how a page is drawn, by kind; a place is named by its text. */
export interface Faults {
  /** How much wider than the screen the page is. */
  sideways: number;
  /** Texts whose box hides a part of them. */
  cut: string[];
  /** Words with a line break inside. */
  broken: string[];
  /** Controls with something else over their centre or a corner, and those that cannot be scrolled clear of the bars. */
  covered: string[];
  /** Lines that begin with the dot between two parts. */
  dotted: string[];
}

const CONTROLS = 'a[href], button, input, select, textarea, summary';

/** Elements that are drawn: under an open modal only those within it. */
function drawn(selector: string): HTMLElement[] {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  return [...top.querySelectorAll<HTMLElement>(selector)].filter((element) =>
    element.checkVisibility({ opacityProperty: false, visibilityProperty: true }),
  );
}

const named = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '').slice(0, 60) ||
  element.outerHTML.slice(0, 80);

function findCut(): string[] {
  const hasText = (element: Element) =>
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
    );
  const isCut = (element: HTMLElement) => {
    const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
    const hides = overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis';
    const isShown = () => element.clientWidth > 1 && clipPath === 'none' && element.checkVisibility();
    return hides && isShown() && element.scrollWidth > element.clientWidth + 1;
  };
  return [...document.querySelectorAll<HTMLElement>('body *')].filter(hasText).filter(isCut).map(named);
}

/** The words of a text by where they begin and end: a joiner holds two together, a mark for a break ends one. */
function textsOf(text: string, words: Intl.Segmenter): [from: number, to: number][] {
  const found: [number, number][] = [];
  let start = 0;
  for (const part of text.split('\u200b')) {
    const plain: number[] = [];
    for (let at = 0; at < part.length; at++) if (part[at] !== '\u2060') plain.push(start + at);
    let last: [number, number] | undefined;
    for (const { segment, index, isWordLike } of words.segment(plain.map((at) => text[at]).join(''))) {
      const [from, to] = [plain[index]!, plain[index + segment.length - 1]! + 1];
      if (last && text.slice(last[1], from).includes('\u2060')) last[1] = to;
      else if (isWordLike) {
        last = [from, to];
        found.push(last);
      }
    }
    start += part.length + 1;
  }
  return found;
}

/** Words drawn on more than one line; where a long unbroken value may come, that is as it should be. */
function findBroken(): string[] {
  const words = new Intl.Segmenter(document.documentElement.lang, { granularity: 'word' });
  const range = document.createRange();
  const lines = () => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  const broken: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    range.selectNodeContents(node);
    if (lines() < 2) continue;
    const { overflowWrap, clipPath } = getComputedStyle(node.parentElement!);
    if (overflowWrap === 'anywhere' || clipPath !== 'none') continue;
    for (const [from, to] of textsOf(node.textContent!, words)) {
      range.setStart(node, from);
      range.setEnd(node, to);
      if (lines() > 1)
        broken.push(`${node.textContent!.slice(from, to)} in ${node.textContent!.slice(0, 80)}`);
    }
  }
  return broken;
}

/** Lines that begin with a dot of their own element, unless a clip path hides it. */
function findDotted(): string[] {
  const range = document.createRange();
  const rectOf = (node: Node) => {
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const textsIn = (element: Element): Node[] => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node);
    return found;
  };
  const isFirst = (dot: Node): boolean => {
    const parts = dot.parentElement!.parentElement!.parentElement!;
    const { left, top, bottom, width } = rectOf(dot);
    const clip = /inset\(.* ([\d.]+)px\)/.exec(getComputedStyle(parts).clipPath)?.[1];
    const edge = clip === undefined ? 0 : parts.getBoundingClientRect().left + Number(clip);
    if (width === 0 || left + width / 2 < edge) return false;
    const others = textsIn(parts).filter((node) => node !== dot && node.textContent!.trim() !== '');
    return !others.some((node) => {
      const rect = rectOf(node);
      return rect.left < left && rect.top < bottom && rect.bottom > top;
    });
  };
  return textsIn(document.body)
    .filter((node) => node.textContent!.trim() === '·')
    .filter(isFirst)
    .map((dot) => dot.parentElement!.parentElement!.parentElement!.textContent!);
}

/** The part of an element that its scrolling ancestors and the window show. */
function shownPart(element: Element): { left: number; top: number; right: number; bottom: number } {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
    if (getComputedStyle(box).overflow === 'visible') continue;
    const edge = box.getBoundingClientRect();
    [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
    [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  return {
    left: Math.max(left, 0),
    top: Math.max(top, 0),
    right: Math.min(right, innerWidth),
    bottom: Math.min(bottom, innerHeight),
  };
}

/** What lies over a control where it is shown now: null for nothing, a bar of the page's frame, or something else. */
function coverOf(control: HTMLElement): Element | null {
  const target = control.closest('label') ?? control;
  const { left, top, right, bottom } = shownPart(target);
  // Within the round of its corners.
  const radius = Number.parseFloat(getComputedStyle(target).borderTopLeftRadius);
  const isPart = getComputedStyle(target).borderTopLeftRadius.endsWith('%');
  const inset = (length: number) =>
    Math.min(length / 2, 3 + 0.3 * (isPart ? (length * radius) / 100 : Math.min(radius, length / 2)));
  const [x, y] = [inset(right - left), inset(bottom - top)];
  if (right - left < 2 || bottom - top < 2) return null;
  const points = [
    [(left + right) / 2, (top + bottom) / 2],
    [left + x, top + y],
    [right - x, top + y],
    [left + x, bottom - y],
    [right - x, bottom - y],
  ] as const;
  // Where a round control is partly scrolled out, a corner of the shown part may lie outside its shape.
  const full = target.getBoundingClientRect();
  const half = Math.min(full.width, full.height) / 2;
  const round = Math.min(half, isPart ? (half * radius) / 50 : radius);
  const isInShape = (px: number, py: number) => {
    const dx = Math.max(full.left + round - px, px - (full.right - round), 0);
    const dy = Math.max(full.top + round - py, py - (full.bottom - round), 0);
    return Math.hypot(dx, dy) <= round;
  };
  for (const [px, py] of points) {
    if (!isInShape(px, py)) continue;
    const hit = document.elementFromPoint(px, py);
    if (hit && !target.contains(hit) && !hit.contains(target)) return hit;
  }
  return null;
}

/** Scrolls through the page or the open sheet and looks at every control wherever it is shown. */
function findCovered(): string[] {
  const sheet = [...document.querySelectorAll('dialog[open]')].at(-1);
  const body = [...(sheet?.children ?? [])].find((part) => getComputedStyle(part).overflowY === 'auto');
  const scroller = sheet ? (body ?? sheet) : document.documentElement;
  const step = scroller.clientHeight / 2;
  const waiting = new Map(drawn(CONTROLS).map((control) => [control, 'a bar']));
  const covered = new Set<string>();
  const before = scroller.scrollTop;
  for (let at = 0; ; at += step) {
    scroller.scrollTop = at;
    for (const control of drawn(CONTROLS)) {
      const cover = coverOf(control);
      // A panel that was opened beside the page stays in use with it; a toast leaves by itself.
      const isFree = !cover || cover.closest('[role=dialog], [popover]:popover-open') !== null;
      if (isFree) waiting.delete(control);
      else if (!cover.closest('nav, header, footer, [role=status]'))
        covered.add(`${named(control)} under ${named(cover)}`);
    }
    if (at + scroller.clientHeight >= scroller.scrollHeight) break;
  }
  scroller.scrollTop = before;
  return [...covered, ...[...waiting].map(([control, bar]) => `${named(control)} always under ${bar}`)];
}

function survey(): Faults {
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    sideways: Math.max(0, scrollWidth - clientWidth),
    cut: findCut(),
    broken: findBroken(),
    covered: findCovered(),
    dotted: findDotted(),
  };
}

const SOURCE = [drawn, findCut, textsOf, findBroken, shownPart, coverOf, findCovered, findDotted, survey]
  .map(String)
  .join('\n');

/** Checks a page in its current state and window. */
export const faultsOn = (page: Page): Promise<Faults> =>
  page.evaluate(`(() => {
    const CONTROLS = ${JSON.stringify(CONTROLS)};
    const named = ${named};
    ${SOURCE}
    return survey();
  })()`);

export const NO_FAULTS: Faults = { sideways: 0, cut: [], broken: [], covered: [], dotted: [] };
