/** Draws tickets as PNG pictures: bank apps scan a saved picture, and a receipt is sent to others as one. */

export interface PictureLine {
  name: string;
  value: string;
}

export interface TicketPicture {
  product: string;
  title: string;
  amount: string;
  /** Address of an SVG to draw under the figure, such as the QR. */
  code?: string;
  lines: PictureLine[];
}

const WIDTH = 720;
const MARGIN = 48;
const LINE = 52;
const CODE_SIZE = 480;
/** A saved picture is read by other apps and people, so it is always light. */
const PAPER = '#ffffff';
const INK = '#13221e';
const INK_2 = '#4c5d57';
const BRAND = '#0b5d4e';
const FONT = '"Google Sans", sans-serif';

function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image(CODE_SIZE, CODE_SIZE);
  image.src = address;
  return image.decode().then(() => image);
}

function center(
  context: CanvasRenderingContext2D,
  text: string,
  y: number,
  font: string,
  colour: string,
): void {
  context.font = font;
  context.fillStyle = colour;
  context.textAlign = 'center';
  context.fillText(text, WIDTH / 2, y, WIDTH - 2 * MARGIN);
}

function drawLines(context: CanvasRenderingContext2D, lines: PictureLine[], top: number): void {
  lines.forEach(({ name, value }, index) => {
    const y = top + index * LINE;
    context.textAlign = 'left';
    context.font = `400 26px ${FONT}`;
    context.fillStyle = INK_2;
    context.fillText(name, MARGIN, y, 240);
    context.textAlign = 'right';
    context.font = `600 26px ${FONT}`;
    context.fillStyle = INK;
    context.fillText(value, WIDTH - MARGIN, y, WIDTH - 2 * MARGIN - 250);
  });
}

/** What is drawn on a canvas as a file; throws when the browser cannot encode it. */
export const canvasBlob = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), type, quality),
  );

/** The ticket as a PNG, 720 pixels wide. */
export async function drawTicket(ticket: TicketPicture): Promise<Blob> {
  const code = ticket.code ? await loadImage(ticket.code) : null;
  await document.fonts.ready;
  const canvas = document.createElement('canvas');
  const codeTop = 270;
  const linesTop = (code ? codeTop + CODE_SIZE : 250) + 70;
  canvas.width = WIDTH;
  canvas.height = linesTop + ticket.lines.length * LINE + 10;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws no pictures');
  context.fillStyle = PAPER;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = BRAND;
  context.fillRect(0, 0, WIDTH, 84);
  center(context, ticket.product, 54, `700 30px ${FONT}`, PAPER);
  center(context, ticket.title, 142, `600 28px ${FONT}`, INK_2);
  center(context, ticket.amount, 218, `700 60px ${FONT}`, INK);
  if (code) context.drawImage(code, (WIDTH - CODE_SIZE) / 2, codeTop, CODE_SIZE, CODE_SIZE);
  drawLines(context, ticket.lines, linesTop);
  return canvasBlob(canvas, 'image/png');
}

/** Offers a file for saving. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Whether this browser can hand a picture to other apps. */
export const canShareFiles = (): boolean =>
  Boolean(navigator.canShare?.({ files: [new File([], 'x.png', { type: 'image/png' })] }));

/** Hands a picture to another app; closing the picker is no failure. */
export async function shareFile(blob: Blob, name: string): Promise<void> {
  const file = new File([blob], name, { type: 'image/png' });
  await navigator.share({ files: [file] }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}

/** SVG markup as an address for an image: inside an image no script of it can run. */
export const svgAddress = (markup: string): string => `data:image/svg+xml,${encodeURIComponent(markup)}`;
