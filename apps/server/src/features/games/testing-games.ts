/** Helpers for tests of games: accounts, transfers, and the books of both sides. */
import { decimalToMinor } from '@krapao/contract/shared';
import { type ApiResponse, type TestEnv, type TestMember, until } from '../../testing/test-env.ts';

/** The books of both sides. */
function bookHelpers(env: TestEnv) {
  const scalar = async (sql: string, values: unknown[]) => (await env.pool.query(sql, values)).rows[0]?.value;
  return {
    /** The member's credits at the provider, in hundredths. */
    async credits(member: TestMember, agent: string): Promise<bigint> {
      const { players } = await env.control('books');
      const player = players.find(
        (one: { agent: string; username: string }) =>
          one.agent === agent && one.username === `kp${member.id}`,
      );
      return player ? decimalToMinor(player.balance, 2)! : 0n;
    },
    /** The member's total on our side, in all accounts. */
    async owned(member: TestMember): Promise<bigint> {
      const sum = await scalar(
        "select sum(balance)::bigint as value from ledger_account where member_id = $1 and kind in ('wallet', 'hold', 'mirror')",
        [member.id],
      );
      return BigInt(sum);
    },
    gameBalance: (member: TestMember, slot: string): Promise<bigint> =>
      scalar(
        "select balance as value from ledger_account where member_id = $1 and kind = 'mirror' and slot_code = $2",
        [member.id, slot],
      ),
    rowStatus: (id: string): Promise<string> =>
      scalar('select status as value from statement where id = $1', [id]),
  };
}

export function gameHelpers(env: TestEnv) {
  const sandbox = new URL(env.app.deps.config.GAME_F_URL).origin;
  const get = (member: TestMember, path: string, headers?: Record<string, string>) =>
    env.call('GET', path, undefined, { token: member.token, ...(headers ? { headers } : {}) });
  const transfers = async (
    member: TestMember,
  ): Promise<{ id: string; state: string; direction: string }[]> => {
    const sql =
      'select id, state, direction from provider_transfer where member_id = $1 order by created_at, id';
    return (await env.pool.query(sql, [member.id])).rows;
  };
  return {
    sandbox,
    get,
    open: (member: TestMember, slot: string) => get(member, `/api/wallet/activate/${slot}`),
    refresh: (member: TestMember) => get(member, '/api/wallet/refresh/slot'),
    transfer: (
      member: TestMember,
      from: unknown,
      to: unknown,
      amount: unknown,
      key?: string,
    ): Promise<ApiResponse> =>
      env.call(
        'POST',
        '/api/wallet/transfer',
        { from, to, amount },
        { token: member.token, ...(key ? { key } : {}) },
      ),
    transferAll: (member: TestMember, to: unknown, key?: string): Promise<ApiResponse> =>
      env.call('POST', '/api/wallet/transferAll', { to }, { token: member.token, ...(key ? { key } : {}) }),
    ...bookHelpers(env),
    transfers,
    /** Queries the provider about every open transfer of the member until none is open. */
    async settle(member: TestMember): Promise<void> {
      await until(async () => {
        const open = (await transfers(member)).filter(
          ({ state }) => state === 'RESERVED' || state === 'UNKNOWN',
        );
        for (const { id } of open) await env.app.runJob('transfers.resolve', { id });
        return open.length === 0;
      });
    },
    /** Plays one round at the provider with a given end. */
    play: (member: TestMember, agent: string, stake: number, result: 'win' | 'lose') =>
      env.control('play', { agent, username: `kp${member.id}`, stake, rounds: 1, result }),
  };
}
