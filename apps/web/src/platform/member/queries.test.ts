import { ApiError } from '@krapao/ui/api/api-error.ts';
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

test.each([true, false])(
  'a live event during the first reading has it read once more (succeeds: %s)',
  async (isRead) => {
    const reads: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
    const queryFn = () =>
      new Promise<string>((resolve, reject) => {
        reads.push({ resolve, reject });
      });
    const queryKey = ['statement', 'row'];
    const observer = new QueryObserver(queryClient, { queryKey, queryFn, retry: false });
    const leave = observer.subscribe(() => undefined);
    onTestFinished(() => {
      leave();
      queryClient.clear();
    });

    queryClient.invalidateQueries({ queryKey: ['statement'] });
    if (isRead) reads[0]!.resolve('as it was before the event');
    else reads[0]!.reject(new ApiError('network'));
    await expect.poll(() => observer.getCurrentResult().isPending).toBe(false);
    // A failed reading has a retry of its own on the screen.
    if (!isRead) return expect(reads).toHaveLength(1);
    await expect.poll(() => reads.length).toBe(2);
    reads[1]!.resolve('after the event');
    await expect.poll(() => queryClient.getQueryData(queryKey)).toBe('after the event');
  },
);

test.each([
  ['a refusal', new ApiError('INACTIVE_USER', {}, 403), 1],
  ['a limit of calls', new ApiError('REQUEST_LIMIT', {}, 429), 1],
  ['a fault of the server', new ApiError('INTERNAL_SERVER_ERROR', {}, 500), 2],
  ['no answer', new ApiError('network'), 2],
])('%s is requested as often as it can change', async (_, error, expected) => {
  onTestFinished(() => queryClient.clear());
  let calls = 0;
  const queryFn = () => {
    calls++;
    throw error;
  };
  const options = { queryKey: ['refused'], queryFn, retryDelay: 0 };
  await expect(
    queryClient.fetchQuery({ ...options, retry: queryClient.getDefaultOptions().queries!.retry! }),
  ).rejects.toBe(error);
  expect(calls).toBe(expected);
});
