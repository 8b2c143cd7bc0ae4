/** Helpers for tests of invites: members who registered by an invite link, deposited and played. */
import type { ApiResponse, TestEnv, TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';

export function inviteHelpers(env: TestEnv) {
  const { deposit } = bonusHelpers(env);
  const { open, transfer, play } = gameHelpers(env);
  const helpers = {
    /** A member who registered with an invite code. */
    async invitee(inviter: Pick<TestMember, 'id'>): Promise<TestMember> {
      const member = await env.member();
      await env.owner.query('update member set inviter_id = $1 where id = $2', [inviter.id, member.id]);
      return member;
    },
    /** Bets so much in all, a stake at a time, and loses nothing by it in the end. */
    async bet(member: TestMember, stake: number, times: number): Promise<void> {
      await open(member, 'betflix');
      await transfer(member, 'wallet', 'betflix', stake);
      for (let time = 0; time < times; time++) await play(member, 'betflix', stake, 'win');
    },
    /** An invited member whose share can be received. */
    async earner(inviter: TestMember, amount: number): Promise<TestMember> {
      const member = await helpers.invitee(inviter);
      await deposit(member, amount);
      await helpers.bet(member, amount, 3);
      return member;
    },
    receive: (member: TestMember): Promise<ApiResponse> =>
      env.call('GET', '/api/invite/bonus', undefined, { token: member.token }),
    page: async (member: TestMember, page = 1, limit = 10) =>
      (await env.call('POST', '/api/invite', { page, limit }, { token: member.token })).body,
    /** What home shows as not yet received. */
    accrued: async (member: TestMember): Promise<number> =>
      (await env.call('GET', '/api/wallet', undefined, { token: member.token })).body.invite.amount,
  };
  return helpers;
}
