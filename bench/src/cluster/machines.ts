import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The network of the machines: a bridge of this one, and a network namespace for each of the others. */
const BRIDGE = 'krapao-bench';
const NETWORK = '10.77.0';
/** This machine's own address on the bridge. */
export const HOST = `${NETWORK}.1`;

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });
const quietly = (work: () => void) => {
  try {
    work();
  } catch {
    // Not there.
  }
};

/** A machine of its own as the network sees it: processes inside reach the others by the bridge alone. */
export interface Machine {
  name: string;
  address: string;
  /** Starts a program inside, as a user. */
  run(user: string, env: NodeJS.ProcessEnv, program: string, ...args: string[]): ChildProcess;
  /** Sends a signal to everything inside. */
  signal(signal: NodeJS.Signals): void;
  /** Pulls the cable, or puts it in. */
  connect(isUp: boolean): void;
}

/** The processes inside, as PostgreSQL's are not all children of what was started. */
const processesOf = (name: string): number[] =>
  ip('netns', 'pids', name).toString().split('\n').filter(Boolean).map(Number);

function makeMachine(name: string, at: number): Machine {
  const space = `krapao-${name}`;
  const cable = `kb-${name}`;
  const address = `${NETWORK}.${at}`;
  ip('netns', 'add', space);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
  ip('link', 'set', cable, 'master', BRIDGE, 'up');
  for (const args of [
    ['addr', 'add', `${address}/24`, 'dev', 'eth0'],
    ['link', 'set', 'eth0', 'up'],
    ['link', 'set', 'lo', 'up'],
  ])
    ip('-n', space, ...args);
  return {
    name,
    address,
    run: (user, env, program, ...args) =>
      spawn(
        'ip',
        [
          'netns',
          'exec',
          space,
          'setpriv',
          `--reuid=${user}`,
          `--regid=${user}`,
          '--init-groups',
          program,
          ...args,
        ],
        {
          env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
          // A folder that the user may enter.
          cwd: '/',
          stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
        },
      ),
    signal(signal) {
      for (const pid of processesOf(space)) quietly(() => process.kill(pid, signal));
    },
    connect: (isUp) => void ip('link', 'set', cable, isUp ? 'up' : 'down'),
  };
}

/** Removes what an earlier run has left. */
function removeMachines(): void {
  const spaces = ip('netns', 'list')
    .toString()
    .split('\n')
    .map((line) => line.split(' ')[0]!);
  for (const space of spaces.filter((name) => name.startsWith('krapao-'))) {
    for (const pid of processesOf(space)) quietly(() => process.kill(pid, 'SIGKILL'));
    quietly(() => ip('netns', 'del', space));
  }
  quietly(() => ip('link', 'del', BRIDGE));
}

/** Makes machines on a bridge of their own; the first is `.11`. Needs the rights of root. */
export function makeMachines(names: readonly string[]): { machines: Machine[]; remove(): void } {
  removeMachines();
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${HOST}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  return { machines: names.map((name, index) => makeMachine(name, 11 + index)), remove: removeMachines };
}

/** The process id a PostgreSQL server has written into its data folder. */
export const postmasterOf = (folder: string): number =>
  Number(readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')[0]);
