import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { InboxList, MessageView } from '../../protocol/messages.ts';
import { messageTable } from '../message-text.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption, parseCount } from './options.ts';

export function addDeadLetterCommands(program: Command): void {
  const group = program
    .command('dead-letters')
    .description('list, retry and discard messages that signalbox could not deliver');
  example(group, 'signalbox dead-letters list', 'signalbox dead-letters retry lead:412');
  const list = group
    .command('list')
    .description('list dead and expired messages that are not discarded')
    .option('--max <n>', 'list at most this many', parseCount, 1000);
  jsonOption(list);
  example(list, 'signalbox dead-letters list');
  list.action((options: { max: number; json?: true }) =>
    withClient(async (client) => {
      const found = await client.listDeadLetters({ max: options.max });
      return options.json ? writeJson<InboxList>(found) : writeOut(messageTable(found, 'both'));
    }),
  );
  addChange(group, 'retry', 'put a message back into its inbox', (client, id) =>
    client.retryDeadLetter(id),
  );
  addChange(
    group,
    'discard',
    'hide a message from the lists; its history stays until retention deletes it',
    (client, id) => client.discardDeadLetter(id),
  );
}

function addChange(
  group: Command,
  verb: 'retry' | 'discard',
  description: string,
  apply: (client: Client, id: string) => Promise<MessageView>,
): void {
  const command = group.command(`${verb} <message>`).description(description);
  jsonOption(command);
  example(command, `signalbox dead-letters ${verb} lead:412`);
  command.action((id: string, options: { json?: true }) =>
    withClient(async (client) => {
      const message = await apply(client, id);
      if (options.json) return writeJson<MessageView>(message);
      return writeOut(`${inLine(id)} ${verb === 'retry' ? `is ${message.state}` : 'discarded'}\n`);
    }),
  );
}
