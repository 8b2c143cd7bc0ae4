/** What may stand in for another in one go: then the old one does not leave and the new one does not come in. */
type Kind = 'sheet' | 'alertdialog' | 'toast' | 'prompt' | 'panel';

const entered: Record<Kind, number> = { sheet: 0, alertdialog: 0, toast: 0, prompt: 0, panel: 0 };
const exiting = new Set<Kind>();

/** Attributes by which a copy would be found, pressed, filled in or played. */
const LIVE = ['id', 'name', 'for', 'form', 'src', 'autoplay', 'tabindex', 'aria-live', 'role'];

const mayMove = (): boolean => matchMedia('(prefers-reduced-motion: no-preference)').matches;

/** Notes that an element has come. True where it takes the place of one that leaves in the same moment. */
export function enter(kind: Kind): boolean {
  entered[kind] += 1;
  return exiting.has(kind);
}

/** A picture of an element: its looks at its place, scrolled as it was; nothing in it can be reached. */
function pictureOf(element: HTMLElement): HTMLElement {
  const { left, top, width, height } = element.getBoundingClientRect();
  const picture = document.createElement('div');
  picture.className = element.className;
  picture.append(...[...element.childNodes].map((child) => child.cloneNode(true)));
  for (const name of LIVE)
    for (const one of picture.querySelectorAll(`[${name}]`))
      if (one.localName !== 'img') one.removeAttribute(name);
  for (const inner of picture.querySelectorAll('dialog, [popover]')) inner.remove();
  picture.style.cssText = `position:fixed;inset:${top}px auto auto ${left}px;margin:0;width:${width}px;height:${height}px;max-height:none;translate:none`;
  picture.popover = 'manual';
  picture.inert = true;
  picture.ariaHidden = 'true';
  picture.dataset.exiting = '';
  return picture;
}

const scrolled = (element: HTMLElement): [index: number, top: number][] =>
  [...element.children].flatMap(({ scrollTop }, index) => (scrollTop > 0 ? [[index, scrollTop]] : []));

/**
 * Lets an element that is about to be taken away leave with motion: a picture of it moves as its style sheet says under
 * `[data-exiting]`, and goes. Nothing moves where the device prefers reduced motion, or where another takes its place.
 */
export function leave(element: HTMLElement, kind: Kind): void {
  if (!mayMove()) return;
  const before = entered[kind];
  const picture = pictureOf(element);
  const places = scrolled(element);
  exiting.add(kind);
  queueMicrotask(() => {
    exiting.delete(kind);
    if (entered[kind] !== before) return;
    document.body.append(picture);
    picture.showPopover();
    for (const [index, top] of places) picture.children[index]!.scrollTop = top;
    const moves = picture.getAnimations();
    Promise.allSettled(moves.map((move) => move.finished)).then(() => picture.remove());
  });
}
