/** Helpers for tests of slips: pictures from the sandbox's bank app, and handing them in. */
import type { ApiResponse, TestEnv, TestMember } from '../../../testing/test-env.ts';

export interface MadeSlip {
  transRef: string;
  payload: string;
  amount: string;
  type: string;
  bytes: Buffer;
}

export function slipHelpers(env: TestEnv) {
  return {
    /** A slip of a transfer the member makes now, by default to the account behind our QRs. */
    async make(member: Pick<TestMember, 'phone'>, intent: Record<string, unknown> = {}): Promise<MadeSlip> {
      const { image, ...slip } = await env.control('slip', {
        phone: member.phone,
        amount: '100.00',
        ...intent,
      });
      return { ...slip, bytes: Buffer.from(image, 'base64') };
    },
    /** Hands a picture in. */
    async upload(
      member: Pick<TestMember, 'token'> | null,
      bytes: Uint8Array,
      options: { name?: string; key?: string; field?: string; more?: Record<string, string> } = {},
    ): Promise<ApiResponse> {
      const form = new FormData();
      for (const [name, value] of Object.entries(options.more ?? {})) form.append(name, value);
      form.append(
        options.field ?? 'file',
        new Blob([bytes as Uint8Array<ArrayBuffer>]),
        options.name ?? 'slip.png',
      );
      const reply = await fetch(`${env.url}/api/wallet/slip`, {
        method: 'POST',
        headers: {
          'x-requested-with': 'wallet-user',
          ...(member ? { authorization: `Bearer ${member.token}` } : {}),
          ...(options.key ? { 'idempotency-key': options.key } : {}),
        },
        body: form,
      });
      return { status: reply.status, body: await reply.json(), headers: reply.headers };
    },
  };
}
