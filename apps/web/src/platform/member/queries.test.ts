import { QueryObserver, queryOptions } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { queryClient, takeResponse } from './queries.ts';

test.each([
  ['a screen shows', true],
  ['no screen shows any more', false],
])('what a change answered outlives an older answer still on its way, of what %s', async (_, isShown) => {
  const responses: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => responses.push(resolve));
  const query = queryOptions({ queryKey: ['qrcode', 'KBANK'], queryFn });
  const { queryKey } = query;
  onTestFinished(() => queryClient.clear());
  const observer = new QueryObserver(queryClient, query);
  const leave = observer.subscribe(() => undefined);
  if (!isShown) leave();

  takeResponse(queryKey, 'made');
  responses[0]!('none');
  await new Promise((resume) => setTimeout(resume));
  expect(queryClient.getQueryData(queryKey)).toBe('made');
  responses[1]!('made, again');
  await expect.poll(() => queryClient.getQueryData(queryKey)).toBe('made, again');
  leave();
});
