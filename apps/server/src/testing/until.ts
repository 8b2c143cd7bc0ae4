/** Polls until the condition holds. Fails after the deadline with the last observed value. */
export async function until<T>(
  look: () => Promise<T | null | undefined | false>,
  deadlineMs = 120_000,
  pauseMs = 25,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end)
      throw new Error(`waited ${deadlineMs} ms in vain: ${look.toString().slice(0, 200)}`);
    await new Promise((resume) => setTimeout(resume, pauseMs));
  }
}
