import { openRecordEvidence } from '../record-evidence.ts';
import type { Evidence, Finding, LiveContext } from '../way-in.ts';
import { createJudge } from './judge.ts';
import { conversationOf, findSessionFiles, followClear, listFilesSince } from './session-files.ts';

/**
 * What Gemini CLI's files tell of an attempt. A prompt is written, at once and in one piece, before its request goes out
 * (0.61.0): without a record of it a dead process has not sent it. While a prompt waits in its queue there is no trace.
 */
export function openEvidence(life: LiveContext): Evidence {
  return openRecordEvidence(life, {
    createJudge,
    isLeft: (path, context) => {
      const { conversation } = context;
      const id = conversationOf(path);
      if (conversation === undefined || id === undefined || id === conversation) return false;
      return id !== followClear(context, conversation);
    },
    locate: async ({ context, conversations, deadSince }) => {
      const ids = new Set(conversations.flatMap((id) => [id, followClear(context, id)]));
      const own = [...ids].flatMap((id) => findSessionFiles(context, id));
      // Where a person went with /clear before it died is known of a living one only.
      const all = deadSince === undefined ? [] : listFilesSince(context, deadSince);
      return [...new Set([...own, ...all])];
    },
    findWithout: ({ isAlive, conversation }, context) => {
      if (isAlive) return { found: 'none', evidence: 'no user record holds it' };
      // A conversation in which nothing is left after a cancelled turn is deleted with the next start.
      const isKept = conversation && findSessionFiles(context, conversation).length > 0;
      return isKept ? neverSent : gone;
    },
  });
}

const neverSent: Finding = {
  found: 'absent',
  evidence: 'its process is dead, and no user record holds it: it was never sent',
};
const gone: Finding = {
  found: 'unknown',
  evidence: 'its process is dead, and the file of its conversation is gone',
};
