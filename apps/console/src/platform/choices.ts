/** One value of a filter, wanted or left out. */
export interface Choice {
  value: string;
  isLeftOut: boolean;
}

/** Reads the values of a filter from the address, as the operator API takes them: `A,!B`. */
export const choicesIn = (text: string): Choice[] =>
  text
    .split(',')
    .filter((item) => item !== '' && item !== '!')
    .map((item) => {
      const isLeftOut = item.startsWith('!');
      return { value: decoded(isLeftOut ? item.slice(1) : item), isLeftOut };
    });

/** An address may be typed manually. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const encoded = (value: string): string => encodeURIComponent(value).replaceAll('!', '%21');

/** Writes the values of a filter; what has none is empty. */
export const choicesText = (choices: readonly Choice[]): string =>
  choices.map(({ value, isLeftOut }) => (isLeftOut ? '!' : '') + encoded(value)).join(',');

/** Adds a value, changes whether it is wanted or left out, or removes it where it is as given already. */
export function withChoice(choices: readonly Choice[], choice: Choice): Choice[] {
  const before = choices.find(({ value }) => value === choice.value);
  const others = choices.filter(({ value }) => value !== choice.value);
  return before?.isLeftOut === choice.isLeftOut ? others : [...others, choice];
}
