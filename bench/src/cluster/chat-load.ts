import type { Pool } from 'pg';
import sharp from 'sharp';
import { agentWith, type ChatClient, openChatClient, type Ports, panelOf } from '../chat-client.ts';
import { judgeSide, type Verdict } from '../conversation-verdict.ts';
import { createSemaphore } from '../semaphore.ts';
import { pause, until } from '../server.ts';

/** What the conversations came to. */
export interface ChatOutcome {
  /** Messages acknowledged to members and to the agent. */
  messages: number;
  /** By what members' panels show and what the console lists. */
  members: Verdict;
  agent: Verdict;
  /** Pictures acknowledged to members. */
  pictures: number;
  /** Those of them that do not open. */
  lostPictures: number;
}

/** Members who chat with an agent and send pictures, each until it is acknowledged. */
export interface ChatLoad {
  /** Ends the conversations and compares both sides with what was acknowledged. */
  stop(): Promise<ChatOutcome>;
}

/** A member's id and token. */
export interface ChatMember {
  id: string;
  token: string;
}

/** A customer above the limit per minute would wait and delay others. */
const TURN_MS = 2_000;
/** One turn in so many begins with a picture: fewer than the files that a member may send in an hour. */
const PICTURE_EVERY = 8;
const AGAIN_MS = 100;
/** Pictures read at once in the end. */
const READS = 8;

const PICTURE = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#1f6f54' } })
  .png()
  .toBuffer();

/** Uploads a picture to one server after the other until one accepts it; returns its link. Throws a refusal. */
async function sendPicture(servers: readonly Ports[], token: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(PICTURE)]), 'picture.png');
    const { member } = servers[attempt % servers.length]!;
    const reply = await fetch(`http://127.0.0.1:${member}/api/chat/upload-image`, {
      method: 'POST',
      headers: { 'x-requested-with': 'wallet-user', authorization: `Bearer ${token}` },
      body: form,
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    const text = await reply?.text().catch(() => null);
    if (reply?.status === 200 && text) return JSON.parse(text).path;
    if (reply && text && reply.status < 500 && reply.status !== 429)
      throw new Error(`a picture was refused: ${reply.status} ${text}`);
    await pause(AGAIN_MS);
  }
}

/** Opens a panel for each member and begins their conversations. `cookie` is an agent's session. */
export async function startChatLoad(
  pool: Pool,
  members: readonly ChatMember[],
  servers: readonly Ports[],
  cookie: string,
): Promise<ChatLoad> {
  const agent = agentWith(cookie, servers);
  const clients = await Promise.all(members.map((member, at) => openChatClient(at, member, servers)));
  const semaphore = createSemaphore(READS);
  const links: string[] = [];
  let running = true;

  /** One turn each of member and agent; returns the number of turns. */
  async function converse(client: ChatClient, { token }: ChatMember): Promise<number> {
    let turn = 0;
    for (; running; turn++) {
      if (turn % PICTURE_EVERY === 0) links.push(await sendPicture(servers, token));
      const id = `customer:${client.at}:${turn}`;
      await client.say(id);
      if (turn === 0) {
        const sql = 'select conversation_id::text as id from chat_message where client_id = $1';
        client.conversation = (await pool.query(sql, [id])).rows[0]!.id;
      }
      await agent.response(client.conversation, `agent:${client.at}:${turn}`, turn);
      await pause(TURN_MS);
    }
    return turn;
  }
  const conversations = Promise.all(clients.map((client, at) => converse(client, members[at]!)));
  // A refusal is reported when the load is stopped, however early it came.
  conversations.catch(() => undefined);

  const opens = async (link: string): Promise<boolean> => {
    const reply = await fetch(`http://127.0.0.1:${servers[0]!.member}${link}`);
    return reply.ok && (await sharp(await reply.arrayBuffer()).metadata()).width === 64;
  };
  return {
    async stop() {
      running = false;
      const turns = await conversations;
      const isWhole = () => clients.every(({ shown }, at) => shown.size >= 2 * turns[at]!);
      // Panels are whole by themselves, or something was lost; the outcome says what.
      await until(isWhole, 'panels to be whole').catch((error: Error) => console.log(error.message));
      const nothing = { lost: 0, doubled: 0, disordered: 0 };
      const outcome: ChatOutcome = {
        messages: 2 * turns.reduce((sum, count) => sum + count, 0),
        members: { ...nothing },
        agent: { ...nothing },
        pictures: links.length,
        lostPictures: 0,
      };
      for (const client of clients) {
        judgeSide(panelOf(client), client.at, turns[client.at]!, outcome.members);
        judgeSide(await agent.read(client.conversation), client.at, turns[client.at]!, outcome.agent);
        client.close();
      }
      const opened = await Promise.all(links.map((link) => semaphore(() => opens(link))));
      outcome.lostPictures = opened.filter((isOpen) => !isOpen).length;
      return outcome;
    },
  };
}
