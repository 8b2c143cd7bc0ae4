import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Conversation } from './conversation.ts';
import { type ConversationState, countNew, newestId } from './state.ts';

/** So near to its foot a list counts as being there. */
const NEAR_PX = 60;
/** The distance to the top at which the earlier page is requested. */
const HEAD_PX = 40;

/**
 * How the list scrolls: it stays at its foot while the reader is there, keeps their place when earlier messages come in
 * above, requests these near the top, and counts agents' messages out of sight. Visible messages are marked as read.
 */
export function useScroll(conversation: Conversation, state: ConversationState) {
  const box = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const { isAtFoot, place, follow } = useFoot(box, inside);
  const held = useRef({ first: '', height: 0 });
  const [seen, setSeen] = useState<string | null>(() => newestId(state.items));
  const { items, pending } = state;
  const newest = newestId(items);
  const lastAgent = items.findLast(({ sender }) => sender === 'agent')?._id;

  const markSeen = useCallback(() => {
    if (!isAtFoot.current || document.hidden) return;
    setSeen(newest);
    if (lastAgent) conversation.seen(lastAgent);
  }, [isAtFoot, newest, lastAgent, conversation]);

  const toBottom = useCallback(() => {
    isAtFoot.current = true;
    follow();
    markSeen();
  }, [isAtFoot, follow, markSeen]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      place();
      if (element.scrollTop < HEAD_PX) void conversation.loadEarlier();
      markSeen();
    };
    element.addEventListener('scroll', measure, { passive: true });
    document.addEventListener('visibilitychange', markSeen);
    markSeen();
    return () => {
      element.removeEventListener('scroll', measure);
      document.removeEventListener('visibilitychange', markSeen);
    };
  }, [conversation, place, markSeen]);

  const first = items[0]?._id ?? '';
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    place();
    if (isAtFoot.current) follow();
    else if (held.current.first !== first) element.scrollTop += element.scrollHeight - held.current.height;
    held.current = { first, height: element.scrollHeight };
  });

  useWhole(box, conversation, state);
  useEffect(() => conversation.flush, [conversation]);

  const own = pending.at(-1)?.id;
  useEffect(() => {
    if (own) toBottom();
  }, [own, toBottom]);

  return { box, inside, newCount: seen === null ? 0 : countNew(items, seen), toBottom };
}

/**
 * Whether the reader is at the foot. The list may grow between their scrolling and the event that tells of it, so their place
 * is taken again before the list follows, against the foot they could see; and what the list scrolls itself is known at
 * once. Pictures grow as they come, and a keyboard takes room away: who is at the foot stays there.
 */
function useFoot(box: RefObject<HTMLElement | null>, inside: RefObject<HTMLElement | null>) {
  const isAtFoot = useRef(true);
  const was = useRef({ top: 0, height: 0 });
  const place = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const { scrollTop: top, scrollHeight: height, clientHeight } = element;
    const isNear = Math.min(height, was.current.height) - top - clientHeight <= NEAR_PX;
    // What grows takes the foot away; only the reader goes up.
    isAtFoot.current = isNear || (isAtFoot.current && top >= was.current.top);
    was.current = { top, height };
  }, [box]);
  const follow = useCallback(() => {
    const element = box.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    was.current = { top: element.scrollTop, height: element.scrollHeight };
  }, [box]);
  useEffect(() => {
    const grown = new ResizeObserver(() => {
      place();
      if (isAtFoot.current) follow();
    });
    if (box.current) grown.observe(box.current);
    if (inside.current) grown.observe(inside.current);
    return () => grown.disconnect();
  }, [box, inside, place, follow]);
  return { isAtFoot, place, follow };
}

/** A list too short to be scrolled has no head to come to. */
function useWhole(
  box: RefObject<HTMLElement | null>,
  conversation: Conversation,
  state: ConversationState,
): void {
  const { phase, hasEarlier, isLoadingEarlier } = state;
  useEffect(() => {
    const element = box.current;
    if (phase !== 'ready' || !hasEarlier || isLoadingEarlier || !element) return;
    if (element.scrollHeight <= element.clientHeight + HEAD_PX) void conversation.loadEarlier();
  }, [box, phase, hasEarlier, isLoadingEarlier, conversation]);
}
