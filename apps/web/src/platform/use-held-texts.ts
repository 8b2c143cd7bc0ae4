import { useEffect, useState } from 'react';

/**
 * Holds words in operators' texts together on a page for visitors, which does not begin with what that takes: loads it
 * once the texts are shown, and draws the page again. Without its file texts stay as they came.
 */
export function useHeldTexts(isShown: boolean): void {
  const [, setHeld] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    import('./hold-texts.ts').then(
      ({ holdServerTexts }) => {
        holdServerTexts();
        setHeld(true);
      },
      () => undefined,
    );
  }, [isShown]);
}
