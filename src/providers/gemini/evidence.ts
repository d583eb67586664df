import { basename } from 'node:path';
import type { AgentContext } from '../provider.ts';
import { openRecordEvidence } from '../record-evidence.ts';
import { codeOf } from '../record-files.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from '../way-in.ts';
import { createShapeReader } from './form.ts';
import { createJudge } from './judge.ts';
import { clockMs, followClear, isOf, listFilesSince, type SessionFile } from './session-files.ts';

/**
 * What Gemini CLI's files tell of an attempt. A prompt is written, at once and in one piece, before
 * its request goes out (0.61.0): without a record of it a dead process has not sent it. While a
 * prompt waits in its queue there is no trace.
 *
 * A record that holds a mark counts whatever file it is in: all of the project that were written to
 * since are read, other agents' too. Where a person went with /clear may be told by nothing, and
 * another Gemini in the folder may have deleted the file that the agent then goes on with.
 */
export function openEvidence(life: LiveContext): Evidence {
  let sight: Sight = { files: [], ids: [], shown: [] };
  /** Also its own that were deleted since: it goes on, and makes them anew. */
  let paths: readonly string[] = [];
  return openRecordEvidence(life, {
    createJudge,
    createShapeReader,
    isLeft: (path) => isLeft(sight, path),
    locate: async ({ context, conversations, since }) => {
      sight = await look(context, conversations, since).catch((error: unknown) => {
        if (codeOf(error) === undefined) throw error;
        return { ...sight, trouble: `${codeOf(error)}` };
      });
      const own = paths.filter((path) => sight.ids.some((id) => isOf({ path, id: undefined }, id)));
      const known = since === undefined ? [] : own;
      paths = [...new Set([...sight.files.map(({ path }) => path), ...known])];
      return paths;
    },
    findWithout: (attempt) => findWithout(attempt, sight),
  });
}

/** What one look at the folder has shown. */
interface Sight {
  readonly files: readonly SessionFile[];
  /** Of the conversations that the attempts were made in. */
  readonly ids: readonly string[];
  /**
   * Ids of the conversation that the terminal shows: the one it is known by, and where /clear led
   * from there.
   */
  readonly shown: readonly string[];
  /** It could not be looked at in full: the files are those of an earlier look (rule 41). */
  readonly trouble?: string;
}

async function look(
  context: AgentContext,
  conversations: readonly string[],
  since = Number.POSITIVE_INFINITY,
): Promise<Sight> {
  const last = new Map<string, string>();
  for (const id of conversations) last.set(id, await followClear(context, id));
  const ids = [...new Set([...last].flat())];
  const files = await listFilesSince(context, since, ids);
  const { conversation } = context;
  const shown = conversation === undefined ? [] : [conversation, last.get(conversation)];
  return { files, ids, shown: shown.filter((id) => id !== undefined) };
}

/** Of one whose owner cannot be told nobody knows it. */
function isLeft({ files, shown }: Sight, path: string): boolean {
  const file = files.find((one) => one.path === path);
  if (file?.id === undefined || shown.length === 0) return false;
  return !shown.some((id) => isOf(file, id));
}

function findWithout({ isAlive, conversation, at }: AttemptTrace, sight: Sight): Finding {
  const { files, trouble } = sight;
  if (trouble !== undefined) return unknown(`its records could not be looked for (${trouble})`);
  // What stood in it before it was deleted, and whose it is, nobody can tell.
  const torn = files.find(({ id, changedAt }) => id === undefined && changedAt >= at - clockMs);
  if (torn) return unknown(`${basename(torn.path)} has lost its first line, and maybe more`);
  // A conversation in which nothing is left after a cancelled turn is deleted with the next start.
  const isKept = conversation !== undefined && files.some(({ id }) => id === conversation);
  if (isAlive && (isKept || conversation === undefined)) {
    return { found: 'none', evidence: 'no user record holds it' };
  }
  if (!isKept) return unknown('the file of its conversation is gone');
  return {
    found: 'absent',
    evidence: 'its process is dead, and no user record holds it: it was never sent',
  };
}

function unknown(evidence: string): Finding {
  return { found: 'unknown', evidence };
}
