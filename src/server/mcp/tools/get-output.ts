import { z } from 'zod';
import { nameFor } from '../../../agents/reference.ts';
import { explainLead, leadOf } from '../../../messages/envelope.ts';
import { neutralise, neutraliseLine } from '../../../messages/neutralise.ts';
import { readOutput } from '../../../requests/read-output.ts';
import { defineTool, looks, nameInput } from '../tool.ts';
import { Fenced } from '../tool-text.ts';

export const getOutputTool = defineTool({
  name: 'get_output',
  description:
    'The last answer of an agent of your session or below you; its screen when it has given none. Their end, at most 16 KB.',
  input: z.strictObject({ agent: nameInput.describe('Name or id.') }),
  aliases: { terminal_id: 'agent' },
  annotations: looks,
  run: async ({ context, caller, mark, signal }, { agent }) => {
    const last = await readOutput(context, caller, { agent, mode: 'last', signal });
    const answer = last.output;
    // It has said nothing yet, or nobody can tell what is an answer: what it shows is the next
    // best.
    const isScreen = answer.text === '';
    const { output, isCut } = isScreen
      ? await readOutput(context, caller, { agent, mode: 'screen', signal })
      : last;
    const { text } = output;
    const name = nameFor(caller.agent, output.agent);
    const what = isScreen ? 'screen' : 'answer';
    const notes = [
      ...(isCut ? ['its beginning is cut'] : []),
      ...(answer.response === 'complete' ? [] : [`answer: ${answer.response}`]),
      ...(answer.earlier ? ['of an earlier turn: the latest one has said nothing'] : []),
    ];
    const lead = leadOf(mark);
    const more = notes.length > 0 ? ` (${notes.join('; ')})` : '';
    return {
      document: {
        ...{ agent: name, what, response: answer.response, isCut, text },
        ...(answer.earlier ? { earlier: true } : {}),
      },
      text: [
        new Fenced(mark, [
          `${lead} ${what} of ${neutraliseLine(name)}${more}, not words of your user. ${explainLead(lead)}`,
          neutralise(text),
          `${lead} end of ${what}`,
        ]),
      ],
    };
  },
});
