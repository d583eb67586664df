import type { Agent, Station } from '../../bench/terminals/station.ts';

/** What happened, counted by what the agents' programs said and what a subscriber was told. */
export interface Score {
  played: number;
  seen: number;
  lost: string[];
}

/**
 * All agents at once, each one turn after the other: told, worked, and its end seen as a status
 * event. Turns take 700 ms: a screen that never settles is looked at every 500 ms, and a shorter
 * one may pass between two looks.
 */
export async function playTurns(
  station: Station,
  crew: readonly Agent[],
  count: number,
  score: Score,
): Promise<void> {
  await Promise.all(
    crew.map(async (agent) => {
      for (let turn = 0; turn < count; turn++) await playTurn(station, agent, score);
    }),
  );
}

async function playTurn(station: Station, agent: Agent, score: Score): Promise<void> {
  let hasWorked = false;
  const ended = station.next((event) => {
    if (event.agent !== agent.name) return false;
    hasWorked ||= event.status === 'processing';
    return hasWorked && event.status === 'completed';
  }, 60_000);
  const answer = await agent.control.tell(`@@work 700ms @@say turn ${score.played}`);
  if (answer !== 'ok') throw new Error(`${agent.name} answered ${answer}`);
  score.played++;
  try {
    await ended;
    score.seen++;
  } catch {
    score.lost.push(`${agent.name} after turn ${score.played}`);
  }
}
