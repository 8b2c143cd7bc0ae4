/**
 * What will happen later, in virtual time: payouts settling, confirmations repeating, late payments. Advancing the
 * clock runs what became due, earliest first; a frozen clock runs nothing until it is advanced.
 */
import { nowMs } from './clock.ts';
import type { Task, TaskKind } from './state.ts';
import { changed, nextNumber, type World } from './world.ts';

/** Does what a task says. `dueMs` is the virtual time it was meant for. */
export type TaskRunner = (world: World, subject: string, dueMs: number) => void;

const TIMER_MS_MAX = 60_000;

/** Puts something on the agenda and returns it. */
export function plan(world: World, kind: TaskKind, subject: string, dueMs: number): Task {
  const task: Task = { id: `task-${nextNumber(world, 'task')}`, dueMs, kind, subject };
  world.state.tasks.push(task);
  changed(world);
  world.bus.emit('agenda');
  return task;
}

/** Strikes tasks of one kind about one subject off the agenda. */
export function unplan(world: World, kind: TaskKind, subject: string): void {
  world.state.tasks = world.state.tasks.filter((task) => task.kind !== kind || task.subject !== subject);
  changed(world);
}

/** Runs everything due now, including what that in turn makes due. */
export function runDue(world: World, runners: Record<TaskKind, TaskRunner>): void {
  for (;;) {
    const now = nowMs(world);
    const task = world.state.tasks
      .filter(({ dueMs }) => dueMs <= now)
      .reduce<Task | undefined>(
        (first, next) => (first && first.dueMs <= next.dueMs ? first : next),
        undefined,
      );
    if (!task) return;
    world.state.tasks.splice(world.state.tasks.indexOf(task), 1);
    changed(world);
    runners[task.kind](world, task.subject, task.dueMs);
  }
}

/** Keeps the agenda running until the returned function is called. */
export function keepAgenda(world: World, runners: Record<TaskKind, TaskRunner>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const rearm = () => {
    clearTimeout(timer);
    if (
      world.state.clock.frozenAtMs !== null &&
      !world.state.tasks.some(({ dueMs }) => dueMs <= nowMs(world))
    )
      return;
    const nextMs = Math.min(...world.state.tasks.map(({ dueMs }) => dueMs));
    if (nextMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(tick, Math.min(Math.max(nextMs - nowMs(world), 0), TIMER_MS_MAX));
  };
  const tick = () => {
    runDue(world, runners);
    rearm();
  };
  world.bus.on('agenda', rearm);
  world.bus.on('clock', tick);
  rearm();
  return () => {
    clearTimeout(timer);
    world.bus.off('agenda', rearm);
    world.bus.off('clock', tick);
  };
}
