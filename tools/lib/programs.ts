import { spawn } from 'node:child_process';
import { ROOT } from './files.ts';

/** How a check or program ended, with what it printed for people. */
export type Ended = { code: number; output: string };

/**
 * Runs a program in this Node, with `folder` as its current one, to its end and collects what it prints: `output` is
 * both streams, for people; `stdout` is what other programs read.
 * Never rejects: a program that cannot start ends with code 1.
 */
export function runNode(args: string[], folder = ROOT): Promise<Ended & { stdout: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', (error) => done({ code: 1, output: error.message, stdout }));
    child.once('close', (code) => done({ code: code ?? 1, output, stdout }));
  });
}

/** The same with its output shown as it comes. */
export function showNode(args: string[], environment: Record<string, string> = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', () => done(1));
    child.once('close', (code) => done(code ?? 1));
  });
}

/** Runs an npm script of a workspace with its output shown, in the npm that started us or the one on the path. */
export function showNpmScript(workspace: string, script: string): Promise<number> {
  const args = ['run', '--silent', script, '-w', workspace];
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.[cm]?js$/.test(cli)) return showNode([cli, ...args]);
  return new Promise((done) => {
    const shell = process.platform === 'win32';
    const child = spawn('npm', args, { cwd: ROOT, shell, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => done(1));
    child.once('close', (code) => done(code ?? 1));
  });
}
