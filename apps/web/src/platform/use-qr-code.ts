import { svgAddress } from '@krapao/ui/components/picture.ts';
import { useEffect, useState } from 'react';
import { renderSVG } from 'uqr';
import { afterPaint } from './after-paint.ts';

/** Address of a picture of a text as a QR; `border` is its quiet zone in modules. */
export const qrCode = (text: string, border = 0): string => svgAddress(renderSVG(text, { border }));

/**
 * The same once the screen around it has been painted, before that an empty text: encoding takes a slow phone longer
 * than a press may wait for its answer.
 */
export function useQrCode(text: string, border = 0): string {
  const [drawn, setDrawn] = useState({ text: '', address: '' });
  useEffect(() => afterPaint(() => setDrawn({ text, address: qrCode(text, border) })), [text, border]);
  return drawn.text === text ? drawn.address : '';
}
