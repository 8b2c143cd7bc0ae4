import { type FormName, readStored, writeStored } from './storage.ts';

/** What was kept of a form in this tab, or null. */
export function readKept<Value>(name: FormName): Value | null {
  try {
    return JSON.parse(readStored(name) ?? 'null') as Value;
  } catch {
    return null;
  }
}

/** Keeps a form in this tab. */
export const writeKept = (name: FormName, value: unknown): void =>
  writeStored(name, JSON.stringify(value), false);
