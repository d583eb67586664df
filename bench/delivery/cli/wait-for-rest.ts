import { isAtRest, type Life } from '../../../test/lab/life/life.ts';
import type { LoggedRequest } from '../../../test/lab/mock-llm/request-log.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Pace } from './pace.ts';

export const patienceMs = 30_000;

/** The next sample may begin: the agent is at rest, and nobody has heard of it for a while. */
export async function waitForRest(
  life: Life,
  { needsComposer, quietMs }: Pick<Pace, 'needsComposer' | 'quietMs'>,
): Promise<void> {
  const isQuiet = (): boolean => {
    const { current, mock } = life;
    if (!current || !isAtRest(current) || mock.requests.some(isOpen)) return false;
    if (needsComposer && current.composer !== 'empty') return false;
    return Date.now() - current.at > quietMs;
  };
  await waitUntil('rest', isQuiet, patienceMs).catch((error: unknown) => {
    throw new Error(`${error}: ${JSON.stringify(life.current)}`);
  });
}

function isOpen({ outcome }: LoggedRequest): boolean {
  return outcome === undefined;
}
