import { chownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The account PostgreSQL runs under; undefined means the account of this process. */
export type RuntimeUser = { uid: number; gid: number };

/** The user "nobody": present by number on every Unix, owner of nothing else. */
const NOBODY: RuntimeUser = { uid: 65_534, gid: 65_534 };

function ownerOf(path: string): RuntimeUser | undefined {
  try {
    const { uid, gid } = lstatSync(path);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

/**
 * Decides who runs PostgreSQL for a cluster folder.
 * PostgreSQL refuses to run as root, so root hands over to the owner the cluster already has, or to nobody.
 * @throws when the cluster belongs to somebody this process cannot act for.
 */
export function runtimeUserFor(clusterFolder: string): RuntimeUser | undefined {
  const self = process.getuid?.();
  if (self === undefined) return undefined;
  const owner = ownerOf(clusterFolder);
  if (self === 0) return owner && owner.uid !== 0 ? owner : NOBODY;
  if (owner && owner.uid !== self) {
    throw new Error(
      `The database in ${clusterFolder} belongs to user ${owner.uid}, but this is user ${self}: ` +
        'start as that user or root, or choose another DATA_DIR.',
    );
  }
  return undefined;
}

function allows(path: string, user: RuntimeUser, bit: 1 | 5): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bit) === bit;
}

/** Whether `user` may pass through every folder above `path`; undefined is this process, which may. */
export function canReach(path: string, user: RuntimeUser | undefined): boolean {
  if (!user) return true;
  const folder = dirname(path);
  if (folder === path) return true;
  return allows(folder, user, 1) && canReach(folder, user);
}

/** Whether `user` may reach and read `folder` itself. */
export function canRead(folder: string, user: RuntimeUser | undefined): boolean {
  return !user || (allows(folder, user, 5) && canReach(folder, user));
}

/**
 * Gives a folder or file, and all inside it, to `user`. Does nothing when PostgreSQL runs as ourselves.
 * A folder that already is theirs is taken to be theirs throughout, so a large cluster costs one look.
 */
export function chownTo(path: string, user: RuntimeUser | undefined): void {
  if (!user) return;
  const found = lstatSync(path);
  if (found.isSymbolicLink() || (found.uid === user.uid && found.gid === user.gid)) return;
  if (found.isDirectory()) {
    for (const name of readdirSync(path)) chownTo(join(path, name), user);
  }
  chownSync(path, user.uid, user.gid);
}
