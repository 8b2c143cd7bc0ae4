import { expect, test } from 'vitest';
import { eachRow } from './each-row.ts';
import { refuseAny } from './refuse-any.ts';

const done = { state: 'DONE', approval: null };
const ok = (id: string) => ({ id, ...done, refusal: null, by: null, now: null });
const failed = (id: string, refusal: string) => ({
  ...{ id, state: null, approval: null, by: null, now: null, refusal },
});

test('a fault ends the run, is logged, and leaves the results of the rows before it in the reply', async () => {
  const logged: unknown[] = [];
  const log = { error: (line: unknown) => void logged.push(line) };
  const fault = new Error('connection lost');
  const tried: string[] = [];
  const results = await eachRow(log, ['1', '2', '3', '4'], (id) => {
    tried.push(id);
    if (id === '2') throw refuseAny('CLAIMED', { by: 'malee' });
    if (id === '3') throw fault;
    return Promise.resolve(done);
  });
  expect(results).toEqual([
    ok('1'),
    { ...failed('2', 'CLAIMED'), by: 'malee' },
    failed('3', 'INTERNAL_SERVER_ERROR'),
  ]);
  expect(tried).toEqual(['1', '2', '3']);
  expect(logged).toEqual([{ err: fault, row: '3' }]);
});
