import { CONSOLE_HEADERS, type TestOperator } from '../../testing/operator.ts';
import type { TestEnv } from '../../testing/test-env.ts';

/** Uploads a statement file as the console does; `source` null: the form names no account. */
export async function uploadStatement(
  env: Pick<TestEnv, 'app'>,
  as: TestOperator | null,
  { source, name, text }: { source: string | null; name: string; text: string | Uint8Array },
  // biome-ignore lint/suspicious/noExplicitAny: tests check any response
): Promise<{ status: number; body: any }> {
  const part = (head: string, content: string | Uint8Array) => [
    Buffer.from(`--cut\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ];
  const reply = await env.app.consoleHttp.inject({
    method: 'POST',
    url: '/api/operator/reconciliation/statements',
    headers: {
      ...CONSOLE_HEADERS,
      ...(as ? { cookie: as.cookie } : {}),
      'content-type': 'multipart/form-data; boundary=cut',
    },
    payload: Buffer.concat([
      ...(source === null ? [] : part('name="source"', source)),
      ...part(`name="file"; filename="${name}"`, text),
      Buffer.from('--cut--\r\n'),
    ]),
  });
  return { status: reply.statusCode, body: JSON.parse(reply.body) };
}
