import { basename, dirname } from 'node:path';
import { openRecordEvidence } from '../record-evidence.ts';
import { findStats } from '../record-files.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from '../way-in.ts';
import { linkFolder } from './extension.ts';
import { readShape } from './form.ts';
import { createJudge } from './judge.ts';
import { ExtensionLink, readLook } from './link.ts';
import { findEvents } from './transcript.ts';

/**
 * Idle for so long, a message that was to come would have come: batches of its file take up to 300
 * ms.
 */
const settledMs = 2000;

/**
 * What Copilot CLI tells of an attempt. Its file is written 60 to 300 ms after the request
 * (1.0.102): a process that died in between has sent the message and left no trace of it. While it
 * lives, its extension says what is still in the queue.
 */
export function openEvidence(life: LiveContext): Evidence {
  let link: ExtensionLink | undefined;
  const records = openRecordEvidence(life, {
    createJudge,
    createShapeReader: () => readShape,
    isLeft: (path, { conversation }) =>
      conversation !== undefined && basename(dirname(path)) !== conversation,
    locate: async ({ context, conversations }) => {
      const paths = conversations.flatMap((id) => findEvents(context.env, id) ?? []);
      const found = await Promise.all(paths.map((path) => findStats(path)));
      return paths.filter((_, i) => found[i] !== undefined);
    },
    findWithout: async (attempt) => {
      if (!attempt.isAlive) return lost;
      if (attempt.receipt === undefined) return none;
      link ??= new ExtensionLink(linkFolder(life.current().runFolder), {
        onChange: () => undefined,
      });
      return await askQueue(link, attempt);
    },
  });
  return {
    judge: (attempts) => records.judge(attempts),
    close: () => {
      records.close();
      link?.close();
    },
  };
}

const none: Finding = { found: 'none', evidence: 'no user.message holds it' };
const lost: Finding = {
  found: 'unknown',
  evidence:
    'its process is dead, and no user.message holds it; it may have been sent just before, and is in no conversation now',
};

/** An Esc in a dialog drops the whole queue, silently. */
async function askQueue(link: ExtensionLink, { receipt }: AttemptTrace): Promise<Finding> {
  const look = readLook(await link.ask({ do: 'look' }));
  if (!look) return { ...none, isUnasked: true };
  if (look.pending.includes(receipt)) {
    return { found: 'held', evidence: `message ${receipt} waits in the session's queue` };
  }
  if (look.begun.includes(receipt)) {
    return { found: 'landed', evidence: `the session has begun with user.message ${receipt}` };
  }
  // After /new and /clear another one answers (1.0.102): what it was never given it knows nothing
  // of.
  if (!look.sent.includes(receipt)) {
    const evidence = `message ${receipt} went into a conversation that was left since, and no record of it was found`;
    return { found: 'unknown', evidence };
  }
  if (look.idleMs === undefined || look.idleMs < settledMs) return none;
  return {
    found: 'absent',
    evidence: `the session is idle, and message ${receipt} is neither in its queue nor was it begun`,
  };
}
