import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
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

/** A shell that merely stands in the folder is no server. */
function isServerIn(pid: string, identity: string): boolean {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/cwd`);
    return `${dev}:${ino}` === identity && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

function processesByProc(cluster: string): number[] {
  const { dev, ino } = statSync(cluster);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isServerIn(pid, `${dev}:${ino}`)).map(Number);
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
 * PostgreSQL processes that work in this data folder: a postmaster and its children all have it as current folder.
 * A process that merely carries the number written in a stale `postmaster.pid` is not among them.
 */
export function processesIn(cluster: string): number[] {
  return process.platform === 'linux' ? processesByProc(cluster) : processesByPs(cluster);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether this very process works in the data folder now. */
function isServerOf(cluster: string, pid: number): boolean {
  if (process.platform !== 'linux') return processesByPs(cluster).includes(pid);
  const { dev, ino } = statSync(cluster);
  return isServerIn(String(pid), `${dev}:${ino}`);
}

function setAside(cluster: string, file: string): void {
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  // Files of dead numbers PostgreSQL clears away itself. Another program may have started a server since we looked
  // whether there is one: a server that loses this file shuts down, and a second one could start on the same data.
  if (pid > 0 && isAlive(pid) && !isServerOf(cluster, pid)) renameSync(file, `${file}.stale`);
}

/**
 * Moves lock files aside that are proven stale: their number lives, but nothing works in the data folder. The
 * number belongs to another process by now, or to a killed one its parent never collected; PostgreSQL would
 * refuse to start on either. Kept beside with the ending `.stale`, never deleted.
 * @param socketFolder our own, so a lock in it can only be this cluster's
 */
export function setAsideStaleFiles(cluster: string, socketFolder: string): void {
  if (processesIn(cluster).length > 0) return;
  setAside(cluster, fileOf(cluster));
  const locks = existsSync(socketFolder)
    ? readdirSync(socketFolder).filter((name) => name.endsWith('.lock'))
    : [];
  for (const name of locks) setAside(cluster, join(socketFolder, name));
}
