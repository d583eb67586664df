import { describeGiven, giveTask, taskInput } from '../give-task.ts';
import { acts, defineTool } from '../tool.ts';

export const assignTool = defineTool({
  name: 'assign',
  description:
    'Gives a task to another agent and returns at once. The answer comes to you as a message: go on, or end your turn; do not poll.',
  input: taskInput,
  annotations: acts,
  run: async (call, given) => {
    const assigned = await giveTask(call, given);
    const { agent, task } = assigned;
    return {
      document: { agent: agent.name, task },
      text: `${agent.name} has the task (${task}). ${describeGiven(assigned)} Its answer will arrive as a message.`,
    };
  },
});
