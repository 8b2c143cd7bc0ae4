/** Whether terms can be met: some game is allowed, and where bets are needed, bets in some game count. */
export const arePlayable = ({
  games,
  turnoverTimes,
}: {
  games: Readonly<Record<string, number>> | null;
  turnoverTimes: number;
}): boolean => games === null || Object.values(games).some((weight) => turnoverTimes === 0 || weight > 0);
