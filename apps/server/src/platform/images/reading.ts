/** Types of the messages between the picture thread and its caller. */

export interface Picture {
  /** As which it came. */
  format: 'jpeg' | 'png' | 'webp' | 'gif';
  /** The picture encoded again: upright, at most 2,000 px, without metadata. */
  jpeg: Uint8Array;
  width: number;
  height: number;
  /** Texts of the QR codes found, the surest first. */
  codes: string[];
  /** Low when blurred: the spread of the picture's edges. */
  sharpness: number;
}

/** FORMAT: no JPG, PNG, WebP or GIF, of which the first picture counts. PIXELS: too many. BROKEN: begins like one and is none. TIME: took too long. */
export type Unreadable = 'FORMAT' | 'PIXELS' | 'BROKEN' | 'TIME';

export type Reading = { ok: true; picture: Picture } | { ok: false; why: Unreadable };

/** What the thread says: that it can begin, then one reading for each picture. */
export type ThreadMessage = 'ready' | Reading;

export const SIDE_MAX = 2000;

/** What a thread is started with. */
export interface ImageThreadData {
  /** A picture of more is refused with PIXELS. */
  pixelsMax: number;
}
