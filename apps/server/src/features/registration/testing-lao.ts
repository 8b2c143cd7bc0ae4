/** Members in kip, for tests of the Lao variant. */
import { refuseAny } from '../../platform/refuse-any.ts';
import type { TestEnv } from '../../testing/test-env.ts';
import { storeMember } from './register.ts';

/** Makes members in kip who exist in the sandbox too, with an account at BCEL. */
export function laoMembers(env: TestEnv) {
  let serial = 0;
  return async () => {
    const number = String(++serial).padStart(4, '0');
    const [phone, accountNo] = [`2055${number}77`, `01012000${number}1`];
    const name = 'ສົມຊາຍ ວົງສາ';
    const id = await storeMember(refuseAny, env.app.deps, {
      phone,
      name,
      currency: 'LAK',
      sourceCode: 'other',
      inviteCode: undefined,
      passwordHash: 'none',
      bank: { bankCode: 'BCEL', bankAccountNo: accountNo, bankAccountName: name },
    });
    const { token } = await env.member();
    await env.owner.query(
      'update session set member_id = $1 where member_id = (select max(id) from member)',
      [id],
    );
    await env.control('persons', { name, phone, bankCode: 'BCEL', accountNo, balance: 5_000_000 });
    const balance = async () =>
      (
        await env.pool.query(
          'select a.balance from ledger_account a join member m on m.wallet_account = a.id where m.id = $1',
          [id],
        )
      ).rows[0].balance;
    return { id, phone, token, balance };
  };
}
