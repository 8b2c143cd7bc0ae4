/**
 * Write-behind memory: the whole state as one JSON file, replaced atomically (write beside, then rename) soon after
 * a change and once more at the end.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from './environment.ts';
import { emptyState, type State } from './state.ts';

const SAVE_AFTER_MS = 300;
/** A save may take at most about this share of the time, however large the state has grown. */
const SAVE_SHARE = 20;

/** State as JSON text; bigint and Map are wrapped, which no text value can imitate. */
export const encodeState = (state: State): string =>
  JSON.stringify(state, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $n: value.toString() };
    return value instanceof Map ? { $map: [...value] } : value;
  });

/** Reads `encodeState` text; parts that an older file lacks start empty. */
export function decodeState(text: string): State {
  const read: Partial<State> = JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$n' in value) return BigInt(String(value.$n));
    return '$map' in value ? new Map(value.$map as [unknown, unknown][]) : value;
  });
  const empty = emptyState();
  return { ...empty, ...read, settings: { ...empty.settings, ...read.settings } };
}

/** The saved state, or null when there is none. Throws on a file that is not one. */
export const loadState = (file: string): State | null =>
  existsSync(file) ? decodeState(readFileSync(file, 'utf8')) : null;

/** Saves after changes until the returned function is called, which saves once more. */
export function keepSaved(environment: Environment, file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  let timer: NodeJS.Timeout | undefined;
  let waitMs = SAVE_AFTER_MS;
  const save = () => {
    timer = undefined;
    const started = performance.now();
    writeFileSync(`${file}.new`, encodeState(environment.state));
    renameSync(`${file}.new`, file);
    waitMs = Math.max(SAVE_AFTER_MS, (performance.now() - started) * SAVE_SHARE);
  };
  const onChange = () => {
    timer ??= setTimeout(save, waitMs);
  };
  environment.bus.on('changed', onChange);
  return () => {
    environment.bus.off('changed', onChange);
    clearTimeout(timer);
    save();
  };
}
