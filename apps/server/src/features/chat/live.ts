import { isGuestId } from '@krapao/contract/shared';
import type { Pool } from '../../platform/database/db.ts';
import type { Files } from '../../platform/files.ts';
import type { ConversationRooms } from '../../platform/live/sockets.ts';
import { itemOf, PREFIX } from './chat.ts';
import { findConversation, findMessageIn } from './queries.ts';
import { hashGuestId } from './who.ts';

interface LiveDeps {
  pool: Pool;
  files: Pick<Files, 'link'>;
}

/** Conversations on the live socket: who may subscribe to which, and what is sent there. */
export function conversationRooms({ pool, files }: LiveDeps): ConversationRooms {
  return {
    roomOf(wanted, memberId) {
      if (!wanted.startsWith(`${PREFIX}-`)) return null;
      const id = wanted.slice(PREFIX.length + 1);
      if (memberId !== null) return id === memberId ? `member-${memberId}` : null;
      return isGuestId(id) ? `guest-${hashGuestId(id).toString('hex')}` : null;
    },
    async eventOf({ room, event, payload }) {
      if (event !== 'messaging') return { room, event, payload };
      // Merged meanwhile, it names a member whom the screens of this room must not learn of.
      const row = await findMessageIn(pool, room, BigInt(String(payload.id)));
      return row ? { room, event, payload: itemOf(files, row, null) } : null;
    },
    async typing(room) {
      const [kind, id] = room.split('-');
      const member = kind === 'member' ? BigInt(id!) : null;
      const found = await findConversation(pool, member, member === null ? Buffer.from(id!, 'hex') : null);
      if (found) await pool.query("select pg_notify('console', 'chats typing ' || $1)", [String(found.id)]);
    },
  };
}
