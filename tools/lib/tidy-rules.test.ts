import { expect, test } from 'vitest';
import { breachesIn } from './tidy-rules.ts';

const body = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `  console.log('ข้อความ', ${at});`).join('\n');

test('a function of 71 lines is named with its line, one of 70 passes', async () => {
  const text = `/** ก */\n\nexport function long() {\n${body(69)}\n}\n`;
  const [breach, ...rest] = await breachesIn('a/b.ts', text);
  expect(breach).toContain('a/b.ts:3: long is 71 lines');
  expect(rest).toEqual([]);
  expect(await breachesIn('a/b.ts', `export const fine = () => {\n${body(68)}\n};\n`)).toEqual([]);
});

test('arrow functions, methods and components are measured too', async () => {
  const arrow = await breachesIn('a/b.ts', `export const long = async () => {\n${body(70)}\n};\n`);
  expect(arrow.join()).toContain('long is 72 lines');
  const method = await breachesIn('a/b.ts', `export class A {\n  run() {\n${body(70)}\n  }\n}\n`);
  expect(method.join()).toContain('a/b.ts:2: run is 72 lines');
  const component = await breachesIn(
    'a/b.tsx',
    `export function Long() {\n${body(70)}\n  return <p />;\n}\n`,
  );
  expect(component.join()).toContain('Long is 73 lines');
});

test('a file of 501 lines is refused', async () => {
  expect((await breachesIn('a/b.css', 'x\n'.repeat(501))).join()).toContain('501 lines');
  expect(await breachesIn('a/b.css', 'x\n'.repeat(500))).toEqual([]);
});

test('names are kebab-case; migrations keep their number', async () => {
  expect((await breachesIn('a/RequestWithdrawal.ts', '')).join()).toContain('kebab-case');
  expect(await breachesIn('a/request-withdrawal.test.ts', '')).toEqual([]);
  expect(await breachesIn('a/0001_ledger_core.sql', '')).toEqual([]);
});

test('unfinished marks are refused', async () => {
  expect((await breachesIn('a/b.sql', `-- ${'TO'}DO later\n`)).join()).toContain('a/b.sql:1');
});
