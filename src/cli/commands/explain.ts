import type { Command } from 'commander';
import type { Explanation } from '../../protocol/messages.ts';
import { listNamed } from '../message-text.ts';
import { writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { listTold, tellStory } from '../story-text.ts';
import { example, jsonOption } from './options.ts';

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain <message>')
    .description('print the whole history of one message, with the evidence');
  jsonOption(command);
  example(command, 'signalbox explain lead:412', 'signalbox explain 412');
  command.action((id: string, options: { json?: true }) =>
    withClient(async (client) => {
      const story: Explanation = await client.explain(id);
      if (options.json) return writeJson<Explanation>(story);
      const named = [...listNamed(story.message), ...listTold(story)];
      return writeOut(tellStory(story, await client.nameMessages(named)));
    }),
  );
}
