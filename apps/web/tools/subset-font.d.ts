declare module 'subset-font' {
  /** Cuts a font down to the glyphs of a text, with the alternates of all OpenType features or of `keepFeatures`. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'sfnt' | 'woff2'; keepFeatures?: string[] },
  ): Promise<Buffer>;
}
