import { ArrowRight, type IconNode } from 'lucide';
import { createElement, Fragment } from 'react';
import { ARROW } from '../platform/value-text.ts';

/** An icon hidden from screen readers: the text beside it, or the button's label, names it. */
export function Icon({ of, size = 18 }: { of: IconNode; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none' }}
    >
      {of.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}

/** Between what was and what is, in a line of text. */
export const Becomes = () => (
  <span style={{ verticalAlign: 'middle', display: 'inline-flex' }}>
    <Icon of={ArrowRight} size={14} />
  </span>
);

/** A value as text; where it contains before and after, with a drawn arrow, for which there is no letter. */
export const LongText = ({ text }: { text: string }) =>
  text.split(ARROW).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never change their order
    <Fragment key={at}>
      {at > 0 && (
        <>
          {' '}
          <Becomes />{' '}
        </>
      )}
      {part}
    </Fragment>
  ));
