import type { Site } from './installation.ts';

/** Registers a member over the API with a bank account in the sandbox; returns phone, account and password. */
export async function registerMember(
  { url, control }: Pick<Site, 'url' | 'control'>,
  at: number,
): Promise<{ phone: string; accountNo: string; password: string }> {
  const phone = `08${String(10_000_000 + at)}`;
  // Banks print some digits and the beginning of a name; members differ in both.
  const accountNo = `61${String(12_345_678 + at * 1_010_101)}`;
  const name = `${'กขคงจชซดตถทนบปผฝพฟมยรลวสหอ'[at % 26]}มล ทดสอบ`;
  const password = 'bench-password';
  const account = { bankCode: 'KBANK', accountNo, accountName: name, balance: 5_000_000 };
  await control('persons', { name, phone, ...account });
  const reply = await fetch(`${url}/api/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'wallet-user' },
    body: JSON.stringify({
      name,
      username: phone,
      password,
      age: 20,
      sourceCode: 'other',
      bankCode: 'KBANK',
      bankAccountName: name,
      bankAccountNo: accountNo,
    }),
  });
  if (!reply.ok) throw new Error(`registering ${phone}: ${reply.status} ${await reply.text()}`);
  return { phone, accountNo, password };
}
