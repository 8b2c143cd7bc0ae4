/** Films a phone: a picture as often as the browser gives one, each with its true time, and a ring where it is tapped. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { LANGUAGES, textOf } from '../texts.ts';

const run = promisify(execFile);
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** How long a sentence stays at least, so that a slow reader gets to its end. */
const SENTENCE_MS = 3200;
const RING_MS = 420;
const LAST_MS = 1400;

interface Cue {
  /** A text of the catalogues. */
  text: string;
  fromMs: number;
}

/** Runs in the page: a ring in the top layer, above every dialog, which no press notices. */
function showRing([x, y, ms]: readonly [number, number, number]): void {
  const ring = Object.assign(document.createElement('div'), { popover: 'manual' });
  ring.style.cssText = `position:fixed;inset:auto;left:${x - 26}px;top:${y - 26}px;width:52px;height:52px;margin:0;padding:0;border:3px solid #f2b632;border-radius:50%;background:rgb(242 182 50 / 0.28);pointer-events:none`;
  document.body.append(ring);
  ring.showPopover();
  ring.animate(
    [
      { transform: 'scale(1.5)', opacity: 0 },
      { transform: 'scale(1)', opacity: 1 },
    ],
    180,
  );
  setTimeout(() => ring.remove(), ms + 250);
}

const stamp = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

export class Recorder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'krapao-film-'));
  readonly #frames: { file: string; atMs: number }[] = [];
  readonly #cues: Cue[] = [];
  #page: Page;
  #startedAt = 0;
  #posterFrame = 0;
  #isRunning = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(page: Page) {
    this.#page = page;
  }

  #now(): number {
    return performance.now() - this.#startedAt;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#isRunning = true;
    this.#loop = this.#film();
  }

  async #film(): Promise<void> {
    while (this.#isRunning) {
      const atMs = this.#now();
      const picture = await this.#page.screenshot({ type: 'jpeg', quality: 92 }).catch(() => null);
      if (!picture) continue;
      const file = join(this.#folder, `${String(this.#frames.length).padStart(5, '0')}.jpg`);
      writeFileSync(file, picture);
      this.#frames.push({ file, atMs });
    }
  }

  /** Films another window from now on. */
  turnTo(page: Page): void {
    this.#page = page;
  }

  /** Begins a sentence, after the one before has had its time. */
  async say(text: string): Promise<void> {
    await this.rest();
    this.#cues.push({ text, fromMs: this.#now() });
    await pause(700);
  }

  /** Waits until the present sentence has had its time. */
  async rest(): Promise<void> {
    const last = this.#cues.at(-1);
    if (last) await pause(Math.max(0, SENTENCE_MS - (this.#now() - last.fromMs)));
  }

  /** Lets a picture be looked at. */
  async linger(ms = 2200): Promise<void> {
    await pause(ms);
  }

  /** What is seen now becomes the poster. */
  keepPoster(): void {
    this.#posterFrame = this.#frames.length;
  }

  /** Shows the ring on something. */
  async point(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error(`nothing to tap: ${target}`);
    const middle = [box.x + box.width / 2, box.y + box.height / 2, RING_MS] as const;
    await this.#page.evaluate(showRing, middle);
    await pause(RING_MS);
  }

  async tap(target: Locator): Promise<void> {
    await this.point(target);
    await target.click();
    await pause(650);
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.point(target);
    await target.fill('');
    await target.pressSequentially(text, { delay: 140 });
    await pause(350);
  }

  async choose(target: Locator, value: string): Promise<void> {
    await this.point(target);
    await target.selectOption(value);
    await pause(450);
  }

  /** Ends the film and writes `name`.mp4, its poster and its captions in three languages into the folder. */
  async finish(folder: string, name: string): Promise<{ seconds: number }> {
    await this.rest();
    await pause(LAST_MS);
    this.#isRunning = false;
    await this.#loop;
    const endMs = this.#now();
    mkdirSync(folder, { recursive: true });
    await this.#encode(join(folder, name), endMs);
    for (const language of LANGUAGES)
      writeFileSync(join(folder, `${name}.${language}.vtt`), this.#captions(language, endMs));
    rmSync(this.#folder, { recursive: true, force: true });
    return { seconds: endMs / 1000 };
  }

  /** WebVTT (W3C); the words stand at the top, since what is tapped mostly lies below. */
  #captions(language: (typeof LANGUAGES)[number], endMs: number): string {
    const cues = this.#cues.map(({ text, fromMs }, index) => {
      const untilMs = this.#cues[index + 1]?.fromMs ?? endMs;
      return `${stamp(fromMs)} --> ${stamp(untilMs)} line:0\n${textOf(language, text)}\n`;
    });
    return `WEBVTT\n\n${cues.join('\n')}`;
  }

  /** H.264 with its index in front, each picture as long as it was seen. */
  async #encode(target: string, endMs: number): Promise<void> {
    const lines = this.#frames.map(({ file, atMs }, index) => {
      const untilMs = this.#frames[index + 1]?.atMs ?? endMs;
      return `file '${file}'\nduration ${((untilMs - atMs) / 1000).toFixed(3)}`;
    });
    const last = this.#frames.at(-1);
    const list = join(this.#folder, 'frames.txt');
    writeFileSync(list, `${lines.join('\n')}\nfile '${last?.file}'\n`);
    const ffmpeg = process.env.FFMPEG || 'ffmpeg';
    const input = ['-y', '-f', 'concat', '-safe', '0', '-i', list];
    const codec = ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '34', '-pix_fmt', 'yuv420p'];
    const film = ['-vf', 'fps=10', '-g', '100', '-movflags', '+faststart', '-an'];
    await run(ffmpeg, [...input, ...codec, ...film, `${target}.mp4`]);
    const poster = this.#frames[this.#posterFrame] ?? last;
    await run(ffmpeg, [
      '-y',
      '-i',
      poster?.file as string,
      '-vf',
      'scale=480:-2',
      '-q:v',
      '8',
      `${target}.jpg`,
    ]);
  }
}
