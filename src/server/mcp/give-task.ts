import { z } from 'zod';
import type { TaskRequest } from '../../protocol/tasks.ts';
import { type GivenTask, giveTask as give } from '../../requests/give-task.ts';
import type { Assigned } from '../../team/assign.ts';
import { type Call, nameInput } from './tool.ts';

/** What `assign` and `handoff` take. */
export const taskInput = z.strictObject({
  profile: nameInput.describe(
    'An agent that runs; else a profile or provider to launch. "profile:NAME" always launches.',
  ),
  task: z.string().describe('All it needs to know: it sees nothing of your conversation.'),
  name: nameInput.optional().describe('For the agent that is launched.'),
  key: nameInput.optional().describe('Your own; the same key again gives nothing twice.'),
});

export const taskAliases = {
  agent_profile: 'profile',
  terminal_id: 'profile',
  message: 'task',
} as const;

/**
 * It works where its giver does, and gets the environment and the umask its giver was launched with
 * (rule 40).
 */
export function giveTask(
  { parts, context, caller }: Call,
  { profile: to, task, name, key }: z.infer<typeof taskInput>,
  how: Pick<TaskRequest, 'handoff' | 'keep'> = {},
): Promise<GivenTask> {
  return give(context, caller, {
    ...{ to, task, cwd: caller.agent.cwd, env: parts.ownEnv, ...how },
    ...(name === undefined ? {} : { name }),
    ...(key === undefined ? {} : { key }),
  });
}

export function describeGiven({ isDuplicate, isLaunched, isBack, also }: Assigned): string {
  if (isDuplicate) return 'You gave this task before; it was not given twice.';
  if (isLaunched) return 'It was launched for this.';
  if (isBack) return 'It had ended, and comes back with its conversation.';
  if (also === undefined) return 'It was running already.';
  const [kind] = also.split(':');
  return `It was running already; "${also}" would launch another from the ${kind} of that name.`;
}

/** Of a task whose end was told by another message than this result: there will be no other. */
export function describeElsewhere(isWoken: boolean, message: string): string {
  const how = isWoken ? 'comes' : 'waits for check_inbox';
  return `That was told by the message ${message}, which you had before or which ${how}; there will be no other.`;
}
