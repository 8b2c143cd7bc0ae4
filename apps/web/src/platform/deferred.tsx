import { type ComponentType, useEffect, useState } from 'react';
import { prefetch } from './prefetch.ts';

const ignore = () => undefined;

/**
 * An optional component of the page: it loads once the device is online, and a failed load leaves the page as it
 * is, until it is wanted again.
 */
export function deferred<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  return function Extra(props: Props) {
    const [, setThere] = useState(Part !== undefined);
    useEffect(() => {
      if (Part) return;
      prefetch(load).then((file) => {
        Part = file.default;
        setThere(true);
      }, ignore);
    }, []);
    return Part && <Part {...props} />;
  };
}
