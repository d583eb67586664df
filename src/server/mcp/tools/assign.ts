import { nameFor } from '../../../agents/reference.ts';
import { nameMessages } from '../../../delivery/name-messages.ts';
import {
  describeElsewhere,
  describeGiven,
  giveTask,
  taskAliases,
  taskInput,
} from '../give-task.ts';
import { noteUnheard } from '../note-unheard.ts';
import { acts, type Call, defineTool } from '../tool.ts';

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
    const { given: assigned, view } = await giveTask(call, given);
    const { agent, task, also } = assigned;
    const { short = task } = view;
    const called = nameFor(call.caller.agent, agent);
    const ended = assigned.isDuplicate ? await findEnd(call, task) : undefined;
    const then = ended?.said ?? describeWait(call);
    const outcome = {
      document: {
        agent: called,
        task,
        short,
        ...ended?.facts,
        ...(also === undefined ? {} : { also }),
      },
      text: [`${called} has the task (${short}). ${describeGiven(assigned)} ${then}`],
    };
    return noteUnheard(call, agent, outcome, view.unwoken);
  },
});

function describeWait({ isWoken }: Call): string {
  return isWoken
    ? 'Its answer will arrive as a message.'
    : 'Its answer will wait in your inbox: take it with check_inbox.';
}

/** What became of a task that was given before (rule 33). */
async function findEnd({ context, caller, isWoken }: Call, task: string) {
  const debt = await context.ledger.read(async (tx) => {
    const found = await tx.debts.find(task);
    const by = found?.endedBy;
    const nameOf = await nameMessages(tx, caller.agent.id, by === undefined ? [] : [by]);
    return found && { ...found, nameOf };
  });
  if (debt?.endedAt === undefined) return undefined;
  const { end: outcome, endedBy: message, nameOf } = debt;
  if (message === undefined) return { said: `It has ended: ${outcome}.`, facts: { outcome } };
  const said = `It has ended: ${outcome}. ${describeElsewhere(isWoken, nameOf(message))}`;
  return { said, facts: { outcome, message } };
}
