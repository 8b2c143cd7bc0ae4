/** The paths that supervisors and load balancers ask. */
export const PROBE_PATHS: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);
