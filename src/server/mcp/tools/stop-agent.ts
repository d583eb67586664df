import { z } from 'zod';
import { comesBack } from '../../../agents/ending.ts';
import { nameFor } from '../../../agents/reference.ts';
import { stopChild } from '../../../requests/stop.ts';
import { acts, defineTool, nameInput } from '../tool.ts';

export const stopAgentTool = defineTool({
  name: 'stop_agent',
  description:
    'Stops an agent that you launched. A task from you brings it back, with its conversation.',
  input: z.strictObject({ agent: nameInput.describe('Name or id.') }),
  aliases: { terminal_id: 'agent' },
  annotations: { ...acts, idempotentHint: true },
  run: async ({ context, caller }, { agent }) => {
    const stopped = await stopChild(context, caller, { agent });
    const name = nameFor(caller.agent, stopped);
    const { outcome } = stopped;
    const said = outcome === 'stopped' ? `${name} has stopped.` : `${name} was not running.`;
    // One that the user stopped, or whose process ended, stays as it is.
    const now = await context.ledger.read((tx) => tx.agents.find(stopped.id));
    const isBack = now !== undefined && comesBack(now);
    const back = ' A task or message from you brings it back, with its conversation.';
    return {
      document: { agent: name, outcome },
      text: [`${said}${isBack ? back : ''}`],
    };
  },
});
