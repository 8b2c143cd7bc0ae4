/**
 * What will happen later, in virtual time: payouts settling, confirmations repeating, late payments. Advancing the
 * clock runs what became due, earliest first; a frozen clock runs nothing until it is advanced.
 */
import { nowMs } from './clock.ts';
import { changed, type Environment, nextNumber } from './environment.ts';
import type { Task, TaskKind } from './state.ts';

/** Does what a task says. `dueMs` is the virtual time it was meant for. */
export type TaskRunner = (environment: Environment, subject: string, dueMs: number) => void;

const TIMER_MS_MAX = 60_000;

/** Puts something on the agenda and returns it. */
export function plan(environment: Environment, kind: TaskKind, subject: string, dueMs: number): Task {
  const task: Task = { id: `task-${nextNumber(environment, 'task')}`, dueMs, kind, subject };
  environment.state.tasks.push(task);
  changed(environment);
  environment.bus.emit('agenda');
  return task;
}

/** Strikes tasks of one kind about one subject off the agenda. */
export function unplan(environment: Environment, kind: TaskKind, subject: string): void {
  environment.state.tasks = environment.state.tasks.filter(
    (task) => task.kind !== kind || task.subject !== subject,
  );
  changed(environment);
}

/** Runs everything due now, including what that in turn makes due. */
export function runDue(environment: Environment, runners: Record<TaskKind, TaskRunner>): void {
  for (;;) {
    const now = nowMs(environment);
    const task = environment.state.tasks
      .filter(({ dueMs }) => dueMs <= now)
      .reduce<Task | undefined>(
        (first, next) => (first && first.dueMs <= next.dueMs ? first : next),
        undefined,
      );
    if (!task) return;
    environment.state.tasks.splice(environment.state.tasks.indexOf(task), 1);
    changed(environment);
    runners[task.kind](environment, task.subject, task.dueMs);
  }
}

/** Keeps the agenda running until the returned function is called. */
export function keepAgenda(environment: Environment, runners: Record<TaskKind, TaskRunner>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const rearm = () => {
    clearTimeout(timer);
    if (
      environment.state.clock.frozenAtMs !== null &&
      !environment.state.tasks.some(({ dueMs }) => dueMs <= nowMs(environment))
    )
      return;
    const nextMs = Math.min(...environment.state.tasks.map(({ dueMs }) => dueMs));
    if (nextMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(tick, Math.min(Math.max(nextMs - nowMs(environment), 0), TIMER_MS_MAX));
  };
  const tick = () => {
    runDue(environment, runners);
    rearm();
  };
  environment.bus.on('agenda', rearm);
  environment.bus.on('clock', tick);
  rearm();
  return () => {
    clearTimeout(timer);
    environment.bus.off('agenda', rearm);
    environment.bus.off('clock', tick);
  };
}
