/** Loaded before a server with `--import`: its clock is CLOCK_AHEAD_MS ahead of the machine's. Timers run as ever. */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const trueNow = Date.now;
const now = (): number => trueNow() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], made === globalThis.Date ? target : made),
  apply: () => new Date(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
