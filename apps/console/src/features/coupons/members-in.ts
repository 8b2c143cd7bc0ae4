const MOST = 1000;

/** The phones or ids of a list: the first field of each line, a heading left out; at most so many as may be given. */
export const membersIn = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/[\r\n]+/)
    .map((line) => (line.split(/[,;\t]/)[0] ?? '').replace(/^[\s'"=]+|[\s'"]+$/g, ''))
    .filter((field) => /\d/.test(field))
    .slice(0, MOST);
