import { countOtherMembers, fillPopulation } from '../demo/bulk.ts';
import { BULK_MAX } from '../demo/bulk-member.ts';
import { findSlot } from '../features/games/queries.ts';
import { chosenStore } from '../platform/file-stores/open.ts';
import { createFiles } from '../platform/files.ts';
import { type AdminDeps, audit, type Command, CommandError, command } from './command.ts';

const DAYS_MAX = 3_650;
const SEED_MAX = 1_000_000;

/** A white picture of one pixel, which stands for every slip. */
const SLIP_JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=';

/** A whole number from 1 to a most; throws CommandError for anything else. */
function readCount(text: string, name: string, most: number): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < 1 || value > most)
    throw new CommandError(`${name} is a whole number from 1 to ${most}.`);
  return value;
}

/** Throws CommandError unless the installation is a demo: not in production, filled for a trial, and without real members. */
async function requireDemo({ config, pool }: AdminDeps): Promise<void> {
  if (config.production)
    throw new CommandError('This installation is in production: no demo members are added.');
  if (config.variant !== 'th')
    throw new CommandError('The demo members have Thai phones and banks: this is the Lao build.');
  if (!(await findSlot(pool, 'betflix')))
    throw new CommandError('This installation has no demo games: start the server once, with DEMO=true.');
  const others = await countOtherMembers(pool);
  if (others > 0) throw new CommandError(`This installation has ${others} members who are not of the demo.`);
}

export const commands: Record<string, Command> = {
  demo: command({
    usage: '--members <members> --days <days> [seed]',
    about:
      'fill a demo installation with members and their history; a repeat adds the members that are missing',
    async run(deps, [givenMembers, givenDays, givenSeed = '1']) {
      const members = readCount(givenMembers, 'members', BULK_MAX);
      const days = readCount(givenDays, 'days', DAYS_MAX);
      const seed = readCount(givenSeed, 'seed', SEED_MAX);
      await requireDemo(deps);
      const { config, pool, secrets, settings, progress } = deps;
      const store = await chosenStore(config, (error) => progress(String(error)));
      const slipFile = await createFiles({ ...deps, store }).put(Buffer.from(SLIP_JPEG, 'base64'));
      const filled = await fillPopulation({
        config,
        pool,
        secrets,
        settings,
        members,
        days,
        seed,
        slipFile,
        progress,
      });
      const { registered, present, visits, items, ms } = filled;
      await audit(pool, deps, {
        action: 'demo.fill',
        subject: 'demo',
        after: { members, days, seed, registered, visits },
      });
      return [
        `${registered} members added, ${present} were there; ${visits} visits and ${items} ledger items in ${Math.round(ms / 1000)} s.`,
      ];
    },
  }),
};
