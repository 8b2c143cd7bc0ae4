import type { ReactNode } from 'react';

/** What stands under the text of an error; the app fills it once its first screen is there. */
export const supportSlot: { under: (text: ReactNode) => ReactNode } = { under: () => null };
