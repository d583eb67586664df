import { describeGiven, giveTask, taskAliases, taskInput } from '../give-task.ts';
import { noteBroken } from '../note-broken.ts';
import { acts, defineTool } from '../tool.ts';

export const assignTool = defineTool({
  name: 'assign',
  description:
    'Gives a task to another agent and returns at once. The answer comes to you as a message: go on, or end your turn; do not poll.',
  unwoken:
    'Gives a task to another agent and returns at once. The answer waits in your inbox: take it with check_inbox.',
  input: taskInput,
  aliases: taskAliases,
  annotations: acts,
  run: async (call, given) => {
    const assigned = await giveTask(call, given);
    const { agent, task, also } = assigned;
    const then = call.isWoken
      ? 'Its answer will arrive as a message.'
      : 'Its answer will wait in your inbox: take it with check_inbox.';
    return noteBroken(call, agent, {
      document: { agent: agent.name, task, ...(also === undefined ? {} : { also }) },
      text: `${agent.name} has the task (${task}). ${describeGiven(assigned)} ${then}`,
    });
  },
});
