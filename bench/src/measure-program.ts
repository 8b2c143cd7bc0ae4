import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Runs a program of e2e/ that prints one line of JSON for each thing measured, and calls `each` with each line as it
 * comes. Returns all of them; throws when the program ends with another code than 0.
 */
export async function measureProgram<Line>(
  name: string,
  args: readonly string[],
  each: (line: Line) => void,
): Promise<Line[]> {
  const program = join(import.meta.dirname, '../../e2e', name);
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line: Line = JSON.parse(text);
    lines.push(line);
    each(line);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ended with code ${code}`);
  return lines;
}
