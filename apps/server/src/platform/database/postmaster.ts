import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a running PostgreSQL writes about itself into its data folder. */
export type PostmasterFile = { pid: number; port: number; host: string };

function fileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** Reads `postmaster.pid`; undefined when there is none or it is still being written. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(fileOf(cluster), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  // Line 5 names the socket folder, line 6 the address listened on; one of them is empty.
  const host = lines[4]?.trim() || lines[5]?.trim();
  return pid > 0 && port > 0 && host ? { pid, port, host } : undefined;
}

function isSameFolder(a: string, identity: string): boolean {
  try {
    const { dev, ino } = statSync(a);
    return `${dev}:${ino}` === identity;
  } catch {
    return false;
  }
}

function processesByProc(cluster: string): number[] {
  const { dev, ino } = statSync(cluster);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isSameFolder(`/proc/${pid}/cwd`, `${dev}:${ino}`)).map(Number);
}

function processesByPs(cluster: string): number[] {
  const pid = readPostmasterFile(cluster)?.pid;
  if (!pid) return [];
  if (process.platform === 'win32') {
    const found = spawnSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8' });
    return found.stdout.includes('postgres') ? [pid] : [];
  }
  const found = spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' });
  return found.stdout.includes(cluster) ? [pid] : [];
}

/**
 * Processes that work in this data folder: a postmaster and its children all have it as current folder.
 * A process that merely carries the number written in a stale `postmaster.pid` is not among them.
 */
export function processesIn(cluster: string): number[] {
  return process.platform === 'linux' ? processesByProc(cluster) : processesByPs(cluster);
}

/**
 * Moves a `postmaster.pid` aside that is proven stale: its number lives, but nothing works in the folder.
 * PostgreSQL would refuse to start on it. Kept as `postmaster.pid.stale`, never deleted.
 */
export function setAsideStaleFile(cluster: string): void {
  const file = readPostmasterFile(cluster);
  if (!file || processesIn(cluster).length > 0) return;
  try {
    process.kill(file.pid, 0);
  } catch (error) {
    // A dead number (ESRCH) PostgreSQL clears away itself.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return;
  }
  renameSync(fileOf(cluster), `${fileOf(cluster)}.stale`);
}
