import type { Epoch } from './epoch.ts';

/**
 * Why `restart --all` leaves an agent alone, as words for a person; undefined: it starts it. After
 * a reboot the agents that ran come back, and those that somebody had ended do not. A life that is
 * still open in the ledger ran; one that the machine, tmux or a signal took away did not end by
 * anybody's choice. A program that ended with code 0 was left by its person (`/exit`) or was done.
 */
export function findRest(life: Pick<Epoch, EndField> | undefined): string | undefined {
  if (!life) return 'it has never run';
  if (life.endedAt === undefined) return undefined;
  if (life.endCause === 'stopped') return 'it was stopped';
  if (life.endCause === 'task-done') return 'it had ended with its task';
  if (life.endCause === 'rested') return 'it was stopped after a long rest';
  const isOwnEnd = life.endCause === 'exit' && life.exitCode === 0 && life.exitSignal === undefined;
  return isOwnEnd ? 'it had ended by itself' : undefined;
}

type EndField = 'endedAt' | 'endCause' | 'exitCode' | 'exitSignal';
