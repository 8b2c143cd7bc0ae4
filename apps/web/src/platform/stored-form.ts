import { type FormName, readStored, writeStored } from './storage.ts';

/** The stored form of this tab, or null. */
export function readForm<Value>(name: FormName): Value | null {
  try {
    return JSON.parse(readStored(name) ?? 'null') as Value;
  } catch {
    return null;
  }
}

/** Keeps a form in this tab. */
export const writeForm = (name: FormName, value: unknown): void =>
  writeStored(name, JSON.stringify(value), false);
