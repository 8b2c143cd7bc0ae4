/** A receiver of webhooks in a process of its own: notes each request in a file before it responds. */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);

createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { data } = JSON.parse(Buffer.concat(parts).toString());
  const line = [
    request.headers['webhook-id'],
    request.headers['webhook-attempt'],
    data.memberId,
    data.withdrawalId,
  ];
  appendFileSync(file!, `${line.join(' ')}\n`);
  response.end();
}).listen(Number(port), '127.0.0.1');
