/** Helpers for tests of payments: a member's QR, the bank's notices by our own pen, and what was booked. */
import { createHmac, randomBytes } from 'node:crypto';
import type { TestEnv, TestMember } from '../../testing/test-env.ts';

export interface Notice {
  transactionId: string;
  transRef: string;
  sendingBankCode: string;
  payeeProxyId: string;
  payerAccountNumber: string;
  payerAccountName: string;
  amount: string;
  currencyCode: string;
  billPaymentRef1: string;
  billPaymentRef2: string;
  transactionDateandTime: string;
}

export function paymentHelpers(env: TestEnv, now: () => Date) {
  const secret = env.app.deps.config.BANK_A_WEBHOOK_SECRET;
  return {
    async qr(member: TestMember, amount: number, code = 'KBANK'): Promise<{ id: string; payload: string }> {
      const { body } = await env.call('POST', `/api/qrcode/${code}`, { amount }, { token: member.token });
      return { id: body.qrcodeId, payload: body.payload };
    },
    /** A notice as the bank would word it for a payment that was not made. */
    notice(reference1: string, change: Partial<Record<keyof Notice, unknown>> = {}): Notice {
      const transRef = `TEST${randomBytes(6).toString('hex')}`;
      return {
        transactionId: transRef,
        transRef,
        sendingBankCode: '004',
        payeeProxyId: env.app.deps.config.BANK_A_BILLER_ID,
        payerAccountNumber: '7999999999',
        payerAccountName: 'ทดสอบ ระบบ',
        amount: '100.00',
        currencyCode: '764',
        billPaymentRef1: reference1,
        billPaymentRef2: 'KRAPAO',
        transactionDateandTime: now().toISOString(),
        ...change,
      } as Notice;
    },
    signature(body: string, options: { ageMs?: number; secret?: string } = {}): string {
      const t = Math.floor((now().getTime() - (options.ageMs ?? 0)) / 1000);
      return `t=${t},v1=${createHmac('sha256', options.secret ?? secret)
        .update(`${t}.${body}`)
        .digest('hex')}`;
    },
    send: (body: string, headers: Record<string, string>) =>
      env.call('POST', '/hooks/bank-a/confirmation', body, { headers }),
    /** Sends a notice rightly signed. */
    async notify(notice: unknown) {
      const body = typeof notice === 'string' ? notice : JSON.stringify(notice);
      return this.send(body, { 'x-bank-signature': this.signature(body) });
    },
    async transaction(transRef: string) {
      const { rows } = await env.pool.query(
        'select state, amount, likely_member_id, reason from bank_transaction where bank_reference = $1',
        [transRef],
      );
      return rows;
    },
    /** The bank does not notify of events until it is queried or set to notify. */
    mute: (reference: string) =>
      env.fault({ party: 'bank-a', call: 'confirmation', kind: 'cut-before', reference, count: 99 }),
  };
}
