import { DAY_MS } from '@krapao/contract/durations';
import type { Clock } from '../../platform/clock.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { weighFiles } from './file-queries.ts';

interface QuotaDeps {
  clock: Clock;
  settings: Settings;
}

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
const full = (refuse: Refuse<'CHAT_FILES_FULL'>) => refuse('CHAT_FILES_FULL');

/**
 * Counts a file to its sender and to all customers together; throws CHAT_FILES_FULL for more than either may
 * send in a day.
 * @param uploader a member, or the networks of a guest, each with how many times the limit it has
 */
export async function requireUploaderQuota(
  refuse: Refuse<'CHAT_FILES_FULL'>,
  { limits, clock, settings }: QuotaDeps & { limits: Limits },
  uploader: readonly { network: string; times: number }[],
  bytes: number,
): Promise<void> {
  const kilobytes = Math.ceil(bytes / KILOBYTE);
  const windowOf = (key: string, megabytes: number) => ({
    key,
    max: (megabytes * MEGABYTE) / KILOBYTE,
    ms: DAY_MS,
  });
  const windows = [
    ...uploader.map(({ network, times }) =>
      windowOf(`chat-bytes:${network}`, settings.get('chat.addressMegabytes') * times),
    ),
    windowOf('chat-bytes', settings.get('chat.totalMegabytes')),
  ];
  for (const window of windows) if (!(await limits.spend(window, kilobytes, clock.now()))) throw full(refuse);
}

/**
 * Compares the files of a conversation, with the new one, to its limits: of a day, and a guest's in all. Called
 * while the conversation is locked, so that two at once are not both let in. Throws CHAT_FILES_FULL.
 */
export async function requireConversationQuota(
  refuse: Refuse<'CHAT_FILES_FULL'>,
  tx: PoolClient,
  { clock, settings }: QuotaDeps,
  conversation: { conversationId: bigint; isGuest: boolean },
): Promise<void> {
  const { recent, all } = await weighFiles(
    tx,
    conversation.conversationId,
    new Date(clock.now().getTime() - DAY_MS),
  );
  if (recent > settings.get('chat.dayMegabytes') * MEGABYTE) throw full(refuse);
  if (conversation.isGuest && all > settings.get('chat.guestMegabytes') * MEGABYTE) throw full(refuse);
}

/** Until when a customer's file is stored; null: without end. */
export const storedUntil = ({ clock, settings }: QuotaDeps, isGuest: boolean): Date | null =>
  isGuest ? new Date(clock.now().getTime() + settings.get('chat.guestFileDays') * DAY_MS) : null;
