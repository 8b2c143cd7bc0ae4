import { canvasBlob } from '@krapao/ui/components/picture.ts';

const SIDE_MAX = 512;
const BANNER_SIDE_MAX = 1200;
const QUALITY = 0.85;

async function drawn(file: File, sideMax: number): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const brush = canvas.getContext('2d')!;
  brush.fillStyle = '#fff';
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

/** A picture small enough to send, in base64; throws when the browser cannot read it. */
export async function smallPicture(file: File): Promise<string> {
  const canvas = await drawn(file, SIDE_MAX);
  return canvas.toDataURL('image/jpeg', QUALITY).split(',')[1]!;
}

/** A picture no wider than phones show it, as a file to upload; throws when the browser cannot read it. */
export async function bannerPicture(file: File): Promise<Blob> {
  const canvas = await drawn(file, BANNER_SIDE_MAX);
  return canvasBlob(canvas, 'image/jpeg', QUALITY);
}
