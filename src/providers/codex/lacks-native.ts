import type { WaitReason } from '../../messages/wait-reason.ts';
import { isInRange, parseVersionRange } from '../detector/version-range.ts';
import type { LaunchedAs } from '../launch-plan.ts';
import { readArguments } from './arguments.ts';

/**
 * The oldest version whose app-server has a queue (`thread/queue/add`): 0.147.0 lacks it. Later
 * ones are taken to have it, and are asked once they run (`live-threads.ts`).
 */
const oldest = '0.148.0';
const withQueue = parseVersionRange(`>=${oldest}`);

export function hasQueue(version: string | undefined): boolean {
  return version !== undefined && withQueue !== undefined && isInRange(withQueue, version);
}

/** Why a life that was started so has no app-server of its own, and cannot be woken. */
export function lacksNative({ version, extraArgs }: LaunchedAs): WaitReason | undefined {
  if (version === undefined) return { code: 'version-unread', title };
  if (!hasQueue(version)) return { code: 'version-too-old', title, version, oldest, package: name };
  const { plain } = readArguments(extraArgs);
  return plain.length === 0 ? undefined : { code: 'arguments-in-the-way', title, args: plain };
}

/** Its server answered that it knows no queue, whatever its version promised. */
export function explainNoQueue(version: string | undefined): WaitReason {
  return { code: 'no-queue', title, version };
}

const title = 'Codex';
const name = '@openai/codex';
