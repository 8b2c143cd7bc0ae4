import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A running product with a visitor's and a member's browser, reached by their debugging ports. */
export interface MeasuredEnv {
  url: string;
  visitorPort: number;
  memberPort: number;
  close(): Promise<void>;
}

/** Starts the product as its own process, so that measuring does not share a process with what is measured. */
export async function startMeasuredEnv(): Promise<MeasuredEnv> {
  const program = join(import.meta.dirname, '../../e2e/measured-env.ts');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (typeof first[0] !== 'string') throw new Error(`the environment ended with code ${first[0]}`);
  return {
    ...JSON.parse(first[0]),
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
