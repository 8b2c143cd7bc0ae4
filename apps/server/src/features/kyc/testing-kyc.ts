/** Helpers for tests of identity checks: pictures of documents, and sending them. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { ApiResponse, TestEnv, TestMember } from '../../testing/test-env.ts';

/** A picture that is like no other. */
export const picture = (): Promise<Buffer> =>
  sharp(randomBytes(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } })
    .png()
    .toBuffer();

export function kycHelpers(env: Pick<TestEnv, 'url'>) {
  return {
    /** Sends the picture of a document. */
    async send(
      member: Pick<TestMember, 'token'> | null,
      kind: string,
      bytes?: Uint8Array,
    ): Promise<ApiResponse> {
      const form = new FormData();
      form.append('kind', kind);
      const content = (bytes ?? (await picture())) as Uint8Array<ArrayBuffer>;
      form.append('file', new Blob([content]), 'document.png');
      const reply = await fetch(`${env.url}/api/account/kyc/documents`, {
        method: 'POST',
        headers: member ? { authorization: `Bearer ${member.token}` } : {},
        body: form,
      });
      return { status: reply.status, body: await reply.json(), headers: reply.headers };
    },
  };
}
