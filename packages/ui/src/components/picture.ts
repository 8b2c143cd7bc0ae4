/** Draws tickets as PNG pictures: bank apps scan a saved picture, and a receipt is sent to others as one. */

export interface PictureLine {
  name: string;
  value: string;
  /** Under the value, smaller. */
  detail?: string | undefined;
}

export interface TicketPicture {
  product: string;
  title: string;
  /** How it ended: a seal above the title, and the title in its colour. */
  tone?: keyof typeof TONES;
  amount: string;
  /** Address of an SVG to draw under the figure, such as the QR to pay. */
  code?: string;
  lines: PictureLine[];
  /** Below the last line: a small code, and a figure beside it. */
  foot?: { code: string; line: PictureLine | null };
}

const WIDTH = 720;
const MARGIN = 48;
const CODE_SIZE = 480;
const SMALL_CODE = 152;
const BAR = 84;
/** Room of a value beside its name. */
const VALUE_WIDTH = 400;
/** A saved picture is read by other apps and people, so it is always light. */
const PAPER = '#ffffff';
const INK = '#13221e';
const INK_2 = '#4c5d57';
const BRAND = '#0b5d4e';
const HAIRLINE = '#dde2dc';
const FONT = '"Google Sans", sans-serif';
/** Colour, ground and sign of a seal; the sign in a square of 24. */
const TONES = {
  ok: { ink: '#17663c', soft: '#e0f0e5', sign: 'M20 6 9 17l-5-5' },
  bad: { ink: '#a3261c', soft: '#fbe9e6', sign: 'M18 6 6 18M6 6l12 12' },
  warn: { ink: '#7a5200', soft: '#fbf0d3', sign: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2' },
} as const;

type Canvas = CanvasRenderingContext2D;

function loadImage(address: string, size: number): Promise<HTMLImageElement> {
  const image = new Image(size, size);
  image.src = address;
  return image.decode().then(() => image);
}

/** Fetches the faces that the picture needs and the page may not have used: other scripts, digits, the kip sign. */
async function loadFonts(ticket: TicketPicture): Promise<void> {
  const { lines, foot, ...texts } = ticket;
  const all = [...lines, ...(foot?.line ? [foot.line] : [])].map(
    ({ name, value, detail }) => name + value + (detail ?? ''),
  );
  const text = texts.product + texts.title + texts.amount + all.join('');
  await Promise.all([400, 600, 700].map((weight) => document.fonts.load(`${weight} 26px ${FONT}`, text)));
}

/** The text in lines that fit, broken where its script breaks; a part that fits nowhere is squeezed when drawn. */
function wrapped(context: Canvas, text: string, width: number): string[] {
  const parts = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)];
  const lines = [''];
  for (const { segment } of parts) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && context.measureText(line + segment).width > width) lines.push(segment.trimStart());
    else lines[lines.length - 1] = line + segment;
  }
  return lines.map((line) => line.trim());
}

interface Style {
  font: string;
  colour: string;
  align: CanvasTextAlign;
  lineHeight: number;
}

/** Writes a text whose first base line is `y`; returns the base line after it. */
function write(context: Canvas, text: string, at: { x: number; y: number; width: number }, style: Style) {
  context.font = style.font;
  context.fillStyle = style.colour;
  context.textAlign = style.align;
  let { y } = at;
  for (const line of wrapped(context, text, at.width)) {
    context.fillText(line, at.x, y, at.width);
    y += style.lineHeight;
  }
  return y;
}

const centred = (context: Canvas, text: string, y: number, font: string, colour: string, lineHeight = 40) =>
  write(
    context,
    text,
    { x: WIDTH / 2, y, width: WIDTH - 2 * MARGIN },
    { font, colour, align: 'center', lineHeight },
  );

function drawSeal(context: Canvas, tone: keyof typeof TONES, y: number): void {
  const { ink, soft, sign } = TONES[tone];
  context.fillStyle = soft;
  context.beginPath();
  context.arc(WIDTH / 2, y, 44, 0, 2 * Math.PI);
  context.fill();
  context.save();
  context.translate(WIDTH / 2 - 24, y - 24);
  context.scale(2, 2);
  context.strokeStyle = ink;
  context.lineWidth = 2.5;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke(new Path2D(sign));
  context.restore();
}

/** The line along which the paper tears. */
function drawTear(context: Canvas, y: number): void {
  context.strokeStyle = HAIRLINE;
  context.lineWidth = 3;
  context.setLineDash([14, 10]);
  context.beginPath();
  context.moveTo(MARGIN, y);
  context.lineTo(WIDTH - MARGIN, y);
  context.stroke();
  context.setLineDash([]);
}

/** Writes the lines from a base line on; returns the base line that the next would have. */
function drawLines(context: Canvas, lines: readonly PictureLine[], top: number): number {
  let y = top;
  for (const { name, value, detail } of lines) {
    const right = { x: WIDTH - MARGIN, width: VALUE_WIDTH };
    write(
      context,
      name,
      { x: MARGIN, y, width: WIDTH - 2 * MARGIN - VALUE_WIDTH },
      {
        font: `400 26px ${FONT}`,
        colour: INK_2,
        align: 'left',
        lineHeight: 38,
      },
    );
    y = write(
      context,
      value,
      { ...right, y },
      { font: `600 26px ${FONT}`, colour: INK, align: 'right', lineHeight: 38 },
    );
    if (detail)
      y = write(
        context,
        detail,
        { ...right, y },
        { font: `400 23px ${FONT}`, colour: INK_2, align: 'right', lineHeight: 34 },
      );
    y += 14;
  }
  return y;
}

/** Draws everything from the top down; returns how high it is. */
function draw(context: Canvas, ticket: TicketPicture, codes: (HTMLImageElement | null)[]): number {
  const [code, footCode] = codes;
  context.fillStyle = BRAND;
  context.fillRect(0, 0, WIDTH, BAR);
  centred(context, ticket.product, 54, `700 30px ${FONT}`, PAPER);
  let y = BAR + 58;
  if (ticket.tone) {
    drawSeal(context, ticket.tone, y + 14);
    y += 108;
  }
  const colour = ticket.tone ? TONES[ticket.tone].ink : INK_2;
  y = centred(context, ticket.title, y, `600 28px ${FONT}`, colour) + 36;
  y = centred(context, ticket.amount, y, `700 60px ${FONT}`, INK, 72) - 20;
  if (code) {
    context.drawImage(code, (WIDTH - CODE_SIZE) / 2, y, CODE_SIZE, CODE_SIZE);
    y += CODE_SIZE;
  }
  drawTear(context, y + 8);
  y = drawLines(context, ticket.lines, y + 70);
  if (!ticket.foot || !footCode) return y;
  drawTear(context, y - 14);
  const { line } = ticket.foot;
  context.drawImage(footCode, WIDTH - MARGIN - SMALL_CODE, y + 14, SMALL_CODE, SMALL_CODE);
  const left = { x: MARGIN, width: WIDTH - 3 * MARGIN - SMALL_CODE };
  if (line) {
    const style = { font: `400 24px ${FONT}`, colour: INK_2, align: 'left', lineHeight: 36 } as const;
    const next = write(context, line.name, { ...left, y: y + 76 }, style);
    write(context, line.value, { ...left, y: next + 4 }, { ...style, font: `600 30px ${FONT}`, colour: INK });
  }
  return y + SMALL_CODE + 44;
}

/** What is drawn on a canvas as a file; throws when the browser cannot encode it. */
export const canvasBlob = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), type, quality),
  );

/** The ticket as a PNG, 720 pixels wide and as high as it needs. */
export async function drawTicket(ticket: TicketPicture): Promise<Blob> {
  const codes = await Promise.all([
    ticket.code ? loadImage(ticket.code, CODE_SIZE) : null,
    ticket.foot ? loadImage(ticket.foot.code, SMALL_CODE) : null,
    loadFonts(ticket).then(() => null),
  ]);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws no pictures');
  canvas.width = WIDTH;
  // Drawn once to learn the height: setting it clears what is there.
  canvas.height = draw(context, ticket, codes);
  context.fillStyle = PAPER;
  context.fillRect(0, 0, WIDTH, canvas.height);
  draw(context, ticket, codes);
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
