/**
 * Returns the whole number, at least 1, at a place of the command line, or `otherwise` when nothing is there. Ends the
 * program with code 2 for anything else.
 */
export function numberArgument(place: number, otherwise: number): number {
  const given = process.argv[2 + place];
  const value = given === undefined ? otherwise : Number(given);
  if (Number.isInteger(value) && value >= 1) return value;
  console.error(`Argument ${place + 1} is a whole number of at least 1, not "${given}".`);
  process.exit(2);
}
