import { openRecordEvidence } from '../record-evidence.ts';
import type { Evidence, LiveContext } from '../way-in.ts';
import { readShape } from './form.ts';
import { createJudge } from './judge.ts';
import { conversationOf, findWire, kimiHome } from './session-files.ts';

/**
 * What Kimi Code's files tell of an attempt. A message is written 2 to 55 ms after its request
 * (2.1.0): a process that died in between has sent it and left no trace, so that of a dead one
 * without a record nothing is certain.
 */
export function openEvidence(life: LiveContext): Evidence {
  return openRecordEvidence(life, {
    createJudge,
    createShapeReader: () => readShape,
    isLeft: (path, { conversation }) =>
      conversation !== undefined && conversationOf(path) !== conversation,
    locate: async ({ context, conversations }) => {
      const home = kimiHome(context.env);
      const found = await Promise.all(conversations.map((id) => findWire(home, id)));
      return found.filter((path) => path !== undefined);
    },
    findWithout: ({ isAlive }) =>
      isAlive
        ? { found: 'none', evidence: 'no message of the conversation holds it' }
        : {
            found: 'unknown',
            evidence:
              'its process is dead, and no message holds it; it may have been sent just before, and is in no conversation now',
          },
  });
}
