/** Reloads the page when a part it needs cannot be fetched; never resolves. */
export function reloadPage(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}
