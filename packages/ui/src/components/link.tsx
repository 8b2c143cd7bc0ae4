import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

/** A link inside the app: a plain press changes the address without loading a page; every other press is the browser's. */
export function Link({ to, onClick, ...rest }: { to: string } & ComponentProps<'a'>) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(to);
    window.scrollTo(0, 0);
  };
  return <a {...rest} href={to} onClick={follow} />;
}
