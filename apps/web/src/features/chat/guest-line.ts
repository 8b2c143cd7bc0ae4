import { io } from 'socket.io-client';
import { config } from '../../platform/config.ts';
import { type LiveConnection, setConnection } from '../../platform/connection.ts';
import { chatConfig } from './chat-config.ts';
import { guestId } from './who.ts';

const AGAIN_MS = 500;
const AGAIN_MAX_MS = 5_000;

/**
 * Opens a visitor's live connection, which joins their conversation's room at every connect, before other listeners run.
 * Rejects when the room's name cannot be had. Returns the way to close it.
 */
export async function openGuestConnection(): Promise<() => void> {
  const { PREFIX } = await chatConfig();
  const socket: LiveConnection = io(config.apiBase || location.origin, {
    path: '/socket.io',
    reconnectionDelay: AGAIN_MS,
    reconnectionDelayMax: AGAIN_MAX_MS,
  });
  socket.on('connect', () => void socket.emit('join', `${PREFIX}-${guestId()}`));
  return setConnection(socket);
}
