/** Loads the page anew, for what it cannot do without; resolves never. */
export function loadAnew(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}
