import { listRuns, type RunRow } from './run-queries.ts';
import { listSources, type SourceDeps } from './sources.ts';
import { listFilesOfDay } from './statement-queries.ts';

/** A comparison with what people call its source, and the name of the statement file that counts for the day. */
export type NamedRun = RunRow & { name: string; file: string | null };

const NOTHING: Omit<RunRow, 'source' | 'currency'> = {
  day: '',
  state: 'WAITING',
  note: null,
  tried: 0,
  their_count: 0,
  their_in: 0n,
  their_out: 0n,
  our_count: 0,
  our_in: 0n,
  our_out: 0n,
  left_out: 0,
  compared_to: null,
  compared_at: null,
  tried_at: null,
  is_running: false,
  open: 0,
  explained: 0,
};

/** Every source of a day: those of now, compared or not, and those that were there when it was compared. */
export async function readRuns(deps: SourceDeps, day: string): Promise<NamedRun[]> {
  const [sources, rows, files] = await Promise.all([
    listSources(deps),
    listRuns(deps.pool, day),
    listFilesOfDay(deps.pool, day),
  ]);
  const fileOf = (id: string) => files.find(({ source }) => source === id)?.name ?? null;
  const done = new Map(rows.map((row) => [row.source, row]));
  const now = sources.map(({ id, name, currency }) => ({
    ...(done.get(id) ?? { ...NOTHING, day, source: id, currency }),
    name,
    file: fileOf(id),
  }));
  const ids = new Set(sources.map(({ id }) => id));
  const gone = rows.filter(({ source }) => !ids.has(source));
  return [
    ...now,
    ...gone.map((row) => ({
      ...row,
      name: row.source.split(':').slice(1).join(' '),
      file: fileOf(row.source),
    })),
  ];
}
