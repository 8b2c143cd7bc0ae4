import type { ConsoleEvent } from '@krapao/contract/operator';
import { useEffect, useRef } from 'react';
import { queries } from './api.ts';
import { openFeed } from './feed.ts';
import { createReadAgain } from './read-again.ts';
import { useShownMember } from './shown-member.ts';
import { noteTyping } from './typing.ts';

/** What is read again when a page changes. */
const READ_AGAIN: Record<ConsoleEvent['pageName'], string[]> = {
  withdrawals: ['withdrawals', 'withdrawal', 'today'],
  unmatched: ['unmatched', 'reports', 'doubts', 'today'],
  reports: ['reports', 'doubts', 'today'],
  slips: ['slips', 'slip', 'today'],
  // Whatever may stand on a member's page; only what is shown is read.
  members: [
    'member',
    'deposits',
    'withdrawals',
    'slips',
    'transfers',
    'runs',
    'refunds',
    'invites',
    'coupons',
  ],
  kyc: ['member', 'members', 'today'],
  deposits: ['deposits', 'reports', 'today'],
  transfers: ['transfers', 'today'],
  approvals: ['approvals', 'withdrawals', 'withdrawal', 'unmatched', 'reports', 'transfers', 'today'],
  alerts: ['alerts', 'member', 'today'],
  assignments: ['today', 'withdrawals', 'withdrawal', 'unmatched', 'reports', 'doubts', 'slips', 'slip'],
  reconciliation: ['reconciliation', 'today'],
  chats: ['chats', 'chat', 'teams', 'today'],
  mentions: ['mentions'],
  wheels: ['wheels'],
  coupons: ['coupons'],
};

/**
 * Follows the server's events while the console is open; after each gap everything is read again. Of members it receives
 * only the one that is shown, so another member has a separate stream.
 */
export function useLive(onNew: (event: ConsoleEvent) => void): void {
  const latest = useRef(onNew);
  latest.current = onNew;
  const member = useShownMember();
  useEffect(() => {
    const readAgain = createReadAgain(queries);
    const readAll = () => readAgain(Object.values(READ_AGAIN).flat());
    const feed = openFeed(`/api/operator/live${member ? `?member=${member}` : ''}`, {
      onGap: readAll,
      onEvent(event) {
        if (event.word === 'typing') {
          noteTyping(event.arrival?.split(' ')[1] ?? '');
          return;
        }
        readAgain(READ_AGAIN[event.pageName] ?? []);
        if (event.isNew) latest.current(event);
      },
      onRefused() {
        // The server ends the stream with the session, and then lets no new one begin.
        void queries.invalidateQueries({ queryKey: ['me'] });
        // An operator who has too many streams reads at each try what is shown.
        readAll();
      },
    });
    return () => {
      readAgain.stop();
      feed.close();
    };
  }, [member]);
}
