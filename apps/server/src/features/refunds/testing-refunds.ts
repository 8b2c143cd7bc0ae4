/** Helpers for tests of refunds: the member's calls, and a game whose bets stay open until they are drawn. */
import type { ApiResponse, TestEnv, TestMember } from '../../testing/test-env.ts';
import { gameHelpers } from '../games/testing-games.ts';

const DRAWN = 'huayhd';

export function refundHelpers(env: TestEnv) {
  const { open, transfer, get, sandbox } = gameHelpers(env);
  const page = (action: string, form: Record<string, string>, cookie: string) =>
    fetch(`${sandbox}/games/${DRAWN}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: new URLSearchParams(form).toString(),
    });
  return {
    check: async (member: TestMember) => (await get(member, '/api/refund/check')).body,
    receive: (member: TestMember): Promise<ApiResponse> => get(member, '/api/refund/receive'),
    addWallet: (member: TestMember): Promise<ApiResponse> => get(member, '/api/refund/addWallet'),
    list: async (member: TestMember, number = 1, limit = 10) =>
      (await env.call('POST', '/api/refund', { page: number, limit }, { token: member.token })).body,
    /** Stakes so much on a drawing that is still to come; returns how to draw. */
    async openBet(member: TestMember, stake: number): Promise<() => Promise<unknown>> {
      await open(member, DRAWN);
      await transfer(member, 'wallet', DRAWN, stake);
      const { body } = await get(member, `/api/wallet/account/${DRAWN}`);
      const login = await page('login', { username: body.username, password: body.password }, '');
      const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
      await page('bet', { stake: String(stake), pick: '07' }, cookie);
      return () => page('draw', {}, cookie);
    },
  };
}
