import { useState } from 'react';

/** The version an editor works on. */
export interface EditedVersion<Value> {
  /** Names the version; an editor is drawn anew when it changes. */
  key: string;
  value: Value;
  /** Whether there is a newer version than the one that the changes began from. */
  isOutdated: boolean;
  /** Reports whether the editor holds changes; without changes it follows the newest version. */
  setChanged: (isChanged: boolean) => void;
}

/**
 * Returns the version an editor works on: the newest one while nothing is changed, and the one that the changes began
 * from until they are saved or discarded.
 * @param key names the newest version
 */
export function useEditedVersion<Value>(newest: Value, key: string): EditedVersion<Value> {
  const [held, setHeld] = useState<{ key: string; value: Value } | null>(null);
  const begun = held ?? { key, value: newest };
  return {
    ...begun,
    isOutdated: begun.key !== key,
    setChanged: (isChanged) => setHeld((before) => (isChanged ? (before ?? begun) : null)),
  };
}
