import { CONSOLE_HEADERS, type TestOperator } from '../../testing/operator.ts';
import type { TestEnv } from '../../testing/test-env.ts';

/** One upload as the console sends it. */
export async function uploadFile(
  env: Pick<TestEnv, 'app'>,
  as: TestOperator | null,
  bytes: Uint8Array,
  name = 'file.png',
  url = '/api/operator/content-file',
  // biome-ignore lint/suspicious/noExplicitAny: tests check any response
): Promise<{ status: number; body: any }> {
  const head = `--cut\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  const reply = await env.app.consoleHttp.inject({
    method: 'POST',
    url,
    headers: {
      ...CONSOLE_HEADERS,
      ...(as ? { cookie: as.cookie } : {}),
      'content-type': 'multipart/form-data; boundary=cut',
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--cut--\r\n')]),
  });
  return { status: reply.statusCode, body: JSON.parse(reply.body) };
}

const box = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
};

/** Boxes as an MP4 has them, around so many bytes of picture. */
export const madeFilm = (bytes: number): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom')),
    box('moov', Buffer.from('....hdlr....vide....')),
    box('mdat', Buffer.alloc(bytes, 7)),
  ]);
