import { type PointerEvent, type RefObject, useRef } from 'react';

/** Above this width a sheet is a dialog in the middle of the screen, which is not dragged. */
const IS_SHEET = '(max-width: 719px)';
/** A sheet released below this fraction of its height closes; so does one flung down at this speed. */
const FAR = 0.3;
const FAST_PX_PER_MS = 0.5;
/** A press that moves less is a press. */
const SLACK_PX = 6;

interface Drag {
  from: number;
  at: number;
  time: number;
  speed: number;
  isMoving: boolean;
}

/**
 * Lets a sheet follow the finger that pulls its head down. Released far enough down or flung, it calls `onClose`;
 * otherwise, and where it is not closed after all, it springs back. What scrolls inside is left alone.
 */
export function useSheetDrag(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  const drag = useRef<Drag | null>(null);

  const draw = (pulled: number, isFree: boolean) => {
    const { style, offsetHeight } = dialog.current!;
    style.transition = isFree ? '' : 'none';
    style.setProperty('--pulled', String(pulled / offsetHeight));
    style.translate = pulled === 0 ? '' : `0 ${pulled}px`;
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const isOnControl = (event.target as Element).closest('button, a, input') !== null;
    if (event.button !== 0 || isOnControl || !matchMedia(IS_SHEET).matches) return;
    drag.current = {
      from: event.clientY,
      at: event.clientY,
      time: event.timeStamp,
      speed: 0,
      isMoving: false,
    };
    event.currentTarget.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const now = drag.current;
    if (!now) return;
    const pulled = Math.max(0, event.clientY - now.from);
    const past = event.timeStamp - now.time;
    if (past > 0) now.speed = (event.clientY - now.at) / past;
    now.at = event.clientY;
    now.time = event.timeStamp;
    now.isMoving ||= pulled > SLACK_PX;
    if (now.isMoving) draw(pulled, false);
  };

  const end = (event: PointerEvent<HTMLElement>, mayClose: boolean) => {
    const now = drag.current;
    drag.current = null;
    if (!now?.isMoving) return;
    const pulled = now.at - now.from;
    const isThrown = now.speed > FAST_PX_PER_MS;
    const isFar = pulled > dialog.current!.offsetHeight * FAR && now.speed > -FAST_PX_PER_MS;
    event.preventDefault();
    if (mayClose && (isThrown || isFar)) onClose();
    draw(0, true);
  };

  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, true),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
  };
}
