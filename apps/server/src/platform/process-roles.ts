/** What a server process may do: serve members, serve operators, run background jobs. */
export const PROCESS_ROLES = ['api', 'console', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
export type ProcessRoles = ReadonlySet<ProcessRole>;

/** Every role in one process, the default. */
export const ALL_ROLES: ProcessRoles = new Set(PROCESS_ROLES);
/** A process that serves members and operators and leaves jobs to others. */
export const WITHOUT_JOBS: ProcessRoles = new Set(['api', 'console']);

const isRole = (text: string): text is ProcessRole => PROCESS_ROLES.some((role) => role === text);

/** Reads roles separated by commas. Throws one sentence for an unknown role and for none. */
export function readRoles(text: string): ProcessRoles {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isRole(name));
  if (unknown !== undefined)
    throw new Error(
      `ROLES must be some of ${PROCESS_ROLES.join(', ')}, separated by commas, not "${unknown}".`,
    );
  return new Set(names.filter(isRole));
}
