import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { type TestEnv, type TestMember, until } from '../../testing/test-env.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 14) Chrome/131.0.0.0';
export const BROWSER = { phone: PHONE, desktop: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0' };

/** Scripts of what members do, honest or not, and what operators see of it. */
export function riskHelpers(env: TestEnv) {
  const operators = operatorHelpers(env);

  async function request(member: TestMember, method: string, path: string, body?: object) {
    const response = await env.call(method, path, body, { token: member.token });
    if (response.status !== 200)
      throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  return {
    operators,
    request,
    login: (member: TestMember, network: string, browser = PHONE, minutesAgo = 0) =>
      env.owner.query(
        `insert into session (token_hash, member_id, created_at, expires_at, address, network, user_agent)
         values (gen_random_uuid()::text::bytea, $1, now() - make_interval(mins => $4::int), now() + interval '1 day', $2, $2, $3)`,
        [member.id, network, browser, minutesAgo],
      ),
    refuseSlips: (member: TestMember, count: number, daysAgo = 0) =>
      env.owner.query(
        `insert into slip (id, member_id, reference, image_hash, file, status, created_at, updated_at)
         select 'SL' || $1::bigint || $3::int || '-' || n, $1, 'picture' || $1::bigint || $3::int || '-' || n, '', 'none', 'FAILED', now() - make_interval(days => $3::int), now()
         from generate_series(1, $2::int) n`,
        [String(member.id), count, daysAgo],
      ),
    /** The other member had the account before. */
    shareAccount: (member: TestMember, other: TestMember) =>
      env.owner.query(
        `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
         select $2, bank_code, account_no_sealed, account_no_fingerprint, account_name, 'REPLACED', created_at from bank_account where member_id = $1`,
        [member.id, other.id],
      ),
    invite: (inviter: TestMember, invited: TestMember) =>
      env.owner.query('update member set inviter_id = $1 where id = $2', [inviter.id, invited.id]),
    /** A bonus was received, played and has just ended. */
    endBonus: (member: TestMember, kind = 'bonus') =>
      env.owner.query(
        `insert into bonus_run (id, member_id, kind, label, qualifying, granted, success_percent, fail_percent, turnover_percent, unbound,
           wallet_account, entry_id, expires_at, started_at, ended_at, ended_by, state)
         select gen_random_uuid()::text, id, $2, 'test', 0, 100, 200, 10, 0, 0, wallet_account, 1, now(), now() - interval '3 hours', now(), 'test', 'SUCCESS'
         from member where id = $1`,
        [member.id, kind],
      ),
    /** Money was taken into a game. */
    takeIn: (member: TestMember, amount: number, daysAgo: number) =>
      env.owner.query(
        `insert into provider_transfer (id, member_id, slot_code, direction, amount, credits, state, created_at, sent_at, touched_at)
         values (gen_random_uuid()::text, $1, (select code from slot limit 1), 'IN', $2, $2, 'DONE', now() - make_interval(days => $3::int), now(), now())`,
        [member.id, amount * 100, daysAgo],
      ),
    /** Pays a QR and waits until the wallet has it. */
    async payIn(member: TestMember, amount: number): Promise<void> {
      const before = await env.balance(member);
      const { payload } = await request(member, 'POST', '/api/qrcode/KBANK', { amount });
      await env.control('pay-qr', { payload });
      await until(async () => (await env.balance(member)) > before);
    },
    /** Takes an amount through a game, and stakes so much of it. */
    async play(member: TestMember, amount: number, stake: number): Promise<void> {
      await request(member, 'GET', '/api/wallet/activate/betflix');
      await request(member, 'POST', '/api/wallet/transfer', { from: 'wallet', to: 'betflix', amount });
      if (stake > 0)
        await env.control('play', {
          agent: 'betflix',
          username: `kp${member.id}`,
          stake,
          rounds: 1,
          result: 'win',
        });
      await request(member, 'POST', '/api/wallet/transfer', { from: 'betflix', to: 'wallet', amount });
    },
    /** Requests a withdrawal and returns what an operator sees of it. */
    async withdraw(as: TestOperator, member: TestMember, amount: number) {
      const { id } = await request(member, 'POST', '/api/wallet/withdraw', { amount });
      return (await operators.call(as, 'GET', `/api/operator/withdrawals/${id}`)).body;
    },
    async riskOf(as: TestOperator, member: TestMember) {
      return (await operators.call(as, 'GET', `/api/operator/members/${member.id}`)).body.risk;
    },
  };
}

/** A transfer that failed: the wallet has its money back. Returns its id. */
export async function failedTransfer(
  env: TestEnv,
  member: TestMember,
  direction: 'IN' | 'OUT',
): Promise<string> {
  const { rows } = await env.owner.query(
    `insert into provider_transfer (id, member_id, slot_code, direction, amount, credits, state, created_at, sent_at, touched_at)
     values (gen_random_uuid()::text, $1, (select code from slot limit 1), $2, 10000, 10000, 'FAILED', now(), now(), now()) returning id`,
    [member.id, direction],
  );
  return rows[0].id;
}
