import { readdirSync, readlinkSync } from 'node:fs';
import { listTree } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { codeOf, isMissing } from '../record-files.ts';

/**
 * A look at all open files of the agent costs some milliseconds, and a conversation changes rarely.
 */
const everyMs = 2000;

/**
 * Which conversation a Codex without an app-server is in: from its first prompt on it holds that
 * conversation's rollout open (0.166.0). Looked for after output, where the system tells open
 * files; it says nothing about the status.
 */
export function watchOpenRollout(
  context: AgentContext,
  report: (state: OwnState) => void,
): StateWatch {
  let said: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const conversation = findOpenRollout(context.pid);
    if (conversation === undefined || conversation === said) return;
    said = conversation;
    report({ report: undefined, conversation });
  };
  return {
    check: () => {
      timer ??= setTimeout(look, everyMs).unref();
    },
    close: () => clearTimeout(timer),
  };
}

/**
 * The newest, should there be more: ids are UUIDv7 and grow. Undefined when it cannot be told: half
 * a list may lack the newest.
 */
function findOpenRollout(pid: number): string | undefined {
  try {
    const startedAt = readStartTime(pid);
    if (process.platform !== 'linux' || startedAt === undefined) return undefined;
    const found = listTree({ pid, startedAt }, []).flatMap((ref) => listRollouts(ref.pid));
    return found.toSorted().at(-1);
  } catch (error) {
    reportBug("finding Codex's open rollout", error);
    return undefined;
  }
}

function listRollouts(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readNames(folder).flatMap((name) => {
    const [, id] = /\/rollout-[^/]*-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/.exec(
      readTarget(`${folder}/${name}`),
    ) ?? [undefined, undefined];
    return id === undefined ? [] : [id];
  });
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return ended(error, []);
  }
}

function readTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    return ended(error, '');
  }
}

/**
 * Closed meanwhile, or of another user: a program that an agent runs as somebody else is not Codex.
 */
function ended<T>(error: unknown, instead: T): T {
  if (others.has(codeOf(error)) || isMissing(error)) return instead;
  throw error;
}

const others = new Set<string | undefined>(['ESRCH', 'EACCES', 'EPERM']);
