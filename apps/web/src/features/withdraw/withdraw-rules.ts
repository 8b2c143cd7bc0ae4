/** Whether an amount lies outside the limits the server gave. The server decides again. */
export function limitProblem(
  amount: number,
  limits: { withdrawMin: number; withdrawMax: number },
): 'minimum' | 'maximum' | null {
  if (amount < limits.withdrawMin) return 'minimum';
  return amount > limits.withdrawMax ? 'maximum' : null;
}
