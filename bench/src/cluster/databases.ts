import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../server.ts';
import { type Machine, makeMachines, postmasterOf } from './machines.ts';

/** The files that an installation takes. */
export const DEPLOY = join(import.meta.dirname, '../../../deploy');
export const PASSWORD = 'bench-only';

/** Three machines with PostgreSQL under Patroni, and etcd. */
export interface Databases {
  addresses: Record<string, string>;
  /** The machine whose PostgreSQL is the primary now, by Patroni's word. */
  primary(): Promise<Machine>;
  /** A machine that may take over at once. */
  standby(): Promise<Machine>;
  /** Ends the PostgreSQL server of a machine, not its Patroni. */
  killPostgres(machine: Machine): void;
  /** Starts etcd and Patroni of a machine whose programs have ended. */
  startMachine(machine: Machine): void;
  /** Requests another primary and resolves when there is one. */
  switchover(from: Machine): Promise<void>;
  /**
   * Resolves when there is a primary and two standbys follow it. A standby that cannot follow within a minute is made
   * anew, as an operator would by `patronictl reinit`; returns the names of those.
   */
  healthy(): Promise<string[]>;
  stop(): void;
}

/** Whether an address answers with success. */
export const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (reply) => reply.ok,
    () => false,
  );

/** The folder with PostgreSQL's programs of the newest version that packages have brought. */
export function findPostgres(): string {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  if (!newest) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  return `/usr/lib/postgresql/${newest}/bin`;
}

/** deploy/patroni/patroni.yml with the folders of one machine, and for the version of PostgreSQL that is here. */
function patroniFile(folder: string, bin: string): string {
  const text = readFileSync(join(DEPLOY, 'patroni/patroni.yml'), 'utf8')
    .replace('/usr/lib/postgresql/17/bin', bin)
    .replace('/data/postgres', join(folder, 'postgres'))
    .replace('/data/pgpass', join(folder, 'pgpass'))
    .replace('unix_socket_directories: /tmp', `unix_socket_directories: ${folder}`)
    .replace('mode: automatic', 'mode: off')
    .replace('shared_buffers: 256MB', 'shared_buffers: 128MB');
  const version = Number(/postgresql\/(\d+)/.exec(bin)![1]);
  // The provider `builtin` is PostgreSQL 17's.
  return version >= 17 ? text : text.replace(/ {4}- (locale-provider|builtin-locale): .*\n/g, '');
}

/** Roles and the database, as deploy/postgres/create.sh makes them. */
function createDatabase(primary: Machine, bin: string): void {
  const url = `postgres://postgres:${PASSWORD}@${primary.address}:5432/postgres`;
  const statements = [
    `create role krapao_owner login password '${PASSWORD}'`,
    `create role krapao_app login password '${PASSWORD}'`,
    "alter role krapao_app set statement_timeout = '5s'",
    "alter role krapao_app set idle_in_transaction_session_timeout = '30s'",
    'create database krapao owner krapao_owner',
  ];
  for (const statement of statements)
    execFileSync(join(bin, 'psql'), ['-v', 'ON_ERROR_STOP=1', '-q', '-d', url, '-c', statement]);
}

/** How etcd and Patroni of the machines are started, each with data below `folder`. */
function programsOf(machines: readonly Machine[], folder: string, bin: string) {
  const folderOf = ({ name }: Machine) => join(folder, name);
  const members = machines.map(({ name, address }) => `${name}=http://${address}:2380`).join(',');
  const startEtcd = (machine: Machine) => {
    const { name, address } = machine;
    const [client, peer] = [`http://${address}:2379`, `http://${address}:2380`];
    const state = existsSync(join(folderOf(machine), 'etcd')) ? 'existing' : 'new';
    const settings = {
      name,
      'data-dir': join(folderOf(machine), 'etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': members,
      'initial-cluster-state': state,
      'heartbeat-interval': '100',
      'election-timeout': '1000',
      'log-level': 'error',
    };
    machine.run(
      'postgres',
      {},
      'etcd',
      ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`),
    );
  };
  const startPatroni = (machine: Machine) => {
    const account = (kind: string, name: string) => ({
      [`PATRONI_${kind}_USERNAME`]: name,
      [`PATRONI_${kind}_PASSWORD`]: PASSWORD,
    });
    const env = {
      HOME: folderOf(machine),
      PATRONI_NAME: machine.name,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${machine.address}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${machine.address}:5432`,
      PATRONI_ETCD3_HOSTS: machines.map(({ address }) => `'${address}:2379'`).join(','),
      ...account('RESTAPI', 'patroni'),
      ...account('SUPERUSER', 'postgres'),
      ...account('REPLICATION', 'replicator'),
      ...account('REWIND', 'rewind'),
    };
    machine.run('postgres', env, 'patroni', join(folderOf(machine), 'patroni.yml'));
  };
  return {
    postmaster: (machine: Machine) => postmasterOf(join(folderOf(machine), 'postgres')),
    prepare(machine: Machine) {
      mkdirSync(folderOf(machine));
      writeFileSync(join(folderOf(machine), 'patroni.yml'), patroniFile(folderOf(machine), bin));
      execFileSync('chown', ['-R', 'postgres:postgres', folderOf(machine)]);
    },
    startEtcd,
    startPatroni,
  };
}

interface Member {
  name: string;
  role: string;
  state: string;
}

/** Patroni's view of the members, from any machine that responds. */
function watchMembers(machines: readonly Machine[]) {
  const members = async (): Promise<Member[]> => {
    for (const { address } of machines) {
      const signal = AbortSignal.timeout(2_000);
      const reply = await fetch(`http://${address}:8008/cluster`, { signal }).catch(() => null);
      if (reply?.ok) return ((await reply.json()) as { members: Member[] }).members;
    }
    return [];
  };
  return {
    async byRole(role: string): Promise<Machine> {
      const found = (await members()).find((member) => member.role === role);
      const machine = machines.find(({ name }) => name === found?.name);
      if (!machine) throw new Error(`the cluster has no ${role}`);
      return machine;
    },
    async healthy(): Promise<string[]> {
      const isWhole = async () => {
        const all = await members();
        const standbys = all.filter(
          ({ role, state }) => role === 'quorum_standby' && /streaming|running/.test(state),
        );
        return all.some(({ role }) => role === 'leader') && standbys.length === 2;
      };
      const isWholeInTime = await until(isWhole, 'a primary with two standbys').then(
        () => true,
        () => false,
      );
      if (isWholeInTime) return [];
      const all = await members();
      // Without a primary there is nothing to copy: it is still to come.
      const broken = all.some(({ role }) => role === 'leader')
        ? all.filter(({ role, state }) => role !== 'leader' && !/streaming|running/.test(state))
        : [];
      for (const { name } of broken) {
        const { address } = machines.find((machine) => machine.name === name)!;
        await callPatroni(address, 'reinitialize', { force: true });
      }
      await until(isWhole, 'standbys made anew', 4);
      return broken.map(({ name }) => name);
    },
  };
}

/** Sends a command to the Patroni of a machine; throws when it refuses. */
async function callPatroni(address: string, what: string, body: object): Promise<void> {
  const authorization = `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}`;
  const reply = await fetch(`http://${address}:8008/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${what}: ${reply.status} ${await reply.text()}`);
}

/** Starts the three machines and makes the product's roles and database. */
export async function startDatabases(folder: string): Promise<Databases> {
  const bin = findPostgres();
  const { machines, remove } = makeMachines(['db1', 'db2', 'db3']);
  const programs = programsOf(machines, folder, bin);
  for (const machine of machines) {
    programs.prepare(machine);
    programs.startEtcd(machine);
  }
  await until(() => responds(`http://${machines[0]!.address}:2379/health`), 'etcd');
  for (const machine of machines) programs.startPatroni(machine);
  const { byRole, healthy } = watchMembers(machines);
  await healthy();
  createDatabase(await byRole('leader'), bin);
  return {
    addresses: Object.fromEntries(machines.map(({ name, address }) => [name.toUpperCase(), address])),
    primary: () => byRole('leader'),
    standby: () => byRole('quorum_standby'),
    killPostgres: (machine) => void process.kill(programs.postmaster(machine), 'SIGKILL'),
    startMachine(machine) {
      programs.startEtcd(machine);
      programs.startPatroni(machine);
    },
    switchover: (from) => callPatroni(from.address, 'switchover', { leader: from.name }),
    healthy,
    stop() {
      for (const machine of machines) machine.signal('SIGKILL');
      remove();
    },
  };
}
