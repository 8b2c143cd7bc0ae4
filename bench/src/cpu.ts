import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TICK_MS = 10;

/** Fields of /proc/<pid>/stat after the name; null when the process is gone. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const ticks = (stat: string[] | null): number => (stat ? Number(stat[11]) + Number(stat[12]) : 0);

/** Milliseconds of CPU a process has used so far (Linux; elsewhere 0). */
export const cpuMs = (pid: number): number => ticks(statOf(String(pid))) * TICK_MS;

/** What those it started and that have ended had used: the kernel adds it to the one who started them. */
const endedTicks = (stat: string[] | null): number => (stat ? Number(stat[13]) + Number(stat[14]) : 0);

/** The same for the built-in database: its postmaster and every process it has started, ended ones too. */
export function databaseCpuMs(dataDir: string): number {
  const postmaster = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]!;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const running = pids.map(statOf).filter((stat) => stat?.[1] === postmaster);
  const own = statOf(postmaster);
  return running.reduce((sum, stat) => sum + ticks(stat), ticks(own) + endedTicks(own)) * TICK_MS;
}
