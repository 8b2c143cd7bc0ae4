/** The whole number at a place of the command line, or `otherwise` when there is none; ends the program for anything else. */
export function numberArgument(place: number, otherwise: number, least = 1): number {
  const given = process.argv[2 + place];
  const value = given === undefined ? otherwise : Number(given);
  if (Number.isInteger(value) && value >= least) return value;
  console.error(`Argument ${place + 1} is a whole number of at least ${least}, not "${given}".`);
  process.exit(2);
}
