import type { Finding } from '../providers/way-in.ts';
import type { RecipientView } from './recipient.ts';

/**
 * Where a message that is on its way in stands, in words for a person; undefined when its state
 * says it all.
 */
export function describePlace(
  { found, because, isLeft, isInterrupted, isUnrecognised, evidence }: Finding,
  { atRestSince, composer }: Pick<RecipientView, 'atRestSince' | 'composer'>,
): string | undefined {
  const isAtRest = atRestSince !== undefined;
  if (isUnrecognised) return `no proof of it can be had: ${evidence}`;
  switch (found) {
    case 'held':
      if (isLeft) return 'it waits in the queue of a conversation that the terminal shows no more';
      return isAtRest
        ? "it waits in the CLI's own queue, which stands still after an interruption; it goes on when the terminal has been quiet for 10 s"
        : "it waits in the CLI's own queue, behind the turn that runs";
    case 'landed':
      if (isLeft) return 'it is in a conversation that the terminal shows no more';
      return isInterrupted
        ? 'a person interrupted it; it is in the conversation, and the next answer there proves it'
        : 'it is in the conversation; no answer has followed yet';
    case 'removed':
      return because === 'interrupted'
        ? 'a person interrupted it, and the CLI took it out of the conversation; it is offered again after the next turn'
        : undefined;
    case 'none':
    case 'unknown':
      if (!isAtRest) return undefined;
      return composer === 'draft'
        ? 'a draft stands in the composer; if it is this message, a person put it back there or holds it'
        : 'no record of it has been found yet';
    case 'seen':
    case 'absent':
      return undefined;
  }
}
