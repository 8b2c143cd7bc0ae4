/** Tells films by their content; they are not drawn again, so nothing is taken for one that does not look like one. */

const BOX_HEAD = 8;
const BOXES_MAX = 10_000;

/** Names of the boxes that stand side by side (ISO/IEC 14496-12 §4.2); null when their sizes do not add up. */
function boxesOf(bytes: Buffer): string[] | null {
  const names: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + BOX_HEAD > bytes.length || names.length > BOXES_MAX) return null;
    const size = bytes.readUInt32BE(at);
    names.push(bytes.toString('latin1', at + 4, at + BOX_HEAD));
    // 0: to the end of the file. 1: the size follows in eight bytes.
    if (size === 0) return names;
    if (size === 1 && at + 16 > bytes.length) return null;
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + BOX_HEAD)) : size;
    if (length < BOX_HEAD) return null;
    at += length;
  }
  return at === bytes.length ? names : null;
}

/** An MP4 with a moving picture: type first, a description with a video track, and what it describes. */
function isMp4(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const names = boxesOf(bytes);
  return Boolean(names?.includes('moov') && names.includes('mdat') && bytes.includes('vide', 0, 'latin1'));
}

/** A WebM: an EBML head (RFC 8794) that says so, then a segment. */
function isWebm(bytes: Buffer): boolean {
  const HEAD = Buffer.from('1a45dfa3', 'hex');
  const SEGMENT = Buffer.from('18538067', 'hex');
  const head = bytes.subarray(0, 64);
  return (
    head.indexOf(HEAD) === 0 && head.includes('webm', 0, 'latin1') && bytes.subarray(0, 256).includes(SEGMENT)
  );
}

/** Detects the type of a film by its content alone; null when browsers cannot play it. */
export function filmType(bytes: Buffer): 'video/mp4' | 'video/webm' | null {
  if (isMp4(bytes)) return 'video/mp4';
  return isWebm(bytes) ? 'video/webm' : null;
}
