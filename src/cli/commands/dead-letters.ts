import type { Command } from 'commander';
import { changeDeadLetters } from '../../client/change-dead-letters.ts';
import type { Client } from '../../client/client.ts';
import type { InboxList, MessageView } from '../../protocol/messages.ts';
import type { ChangedLetters } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
import { messageTable } from '../message-text.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { reportFailed } from '../report-failed.ts';
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
  addChange(group, 'retry', 'put messages back into their inboxes', (client, id) =>
    client.retryDeadLetter(id),
  );
  addChange(
    group,
    'discard',
    'hide messages from the lists; their history stays until retention deletes it',
    (client, id) => client.discardDeadLetter(id),
  );
}

type Change = (client: Client, id: string) => Promise<MessageView>;

interface ChangeOptions {
  readonly all?: true;
  readonly json?: true;
}

function addChange(
  group: Command,
  verb: 'retry' | 'discard',
  description: string,
  apply: Change,
): void {
  const command = group
    .command(`${verb} [messages...]`)
    .description(description)
    .option('--all', 'every message that `dead-letters list` shows');
  jsonOption(command);
  example(
    command,
    `signalbox dead-letters ${verb} lead:412`,
    `signalbox dead-letters ${verb} --all`,
  );
  command.action((ids: string[], options: ChangeOptions) => {
    requireChoice(ids, options, verb);
    return withClient(async (client) => {
      const [only] = ids;
      if (only !== undefined && ids.length === 1) {
        const message = await apply(client, only);
        if (options.json) return writeJson<MessageView>(message);
        return writeOut(describeChange(only, verb, message));
      }
      const { changed, failed } = await changeDeadLetters(client, ids, apply);
      reportFailed(failed.map(({ id, error }) => ({ name: id, error })));
      if (options.json) {
        const messages = changed.map(({ message }) => message);
        return writeJson<ChangedLetters>({ messages, ...(failed.length > 0 ? { failed } : {}) });
      }
      if (changed.length + failed.length === 0) return writeOut('there are no dead letters\n');
      return writeOut(changed.map(({ id, message }) => describeChange(id, verb, message)).join(''));
    });
  });
}

function describeChange(id: string, verb: 'retry' | 'discard', { state }: MessageView): string {
  return `${inLine(id)} ${verb === 'retry' ? `is ${state}` : 'discarded'}\n`;
}

/** A message that is named beside `--all` is a mistake: it may be meant as "all of that agent". */
function requireChoice(ids: readonly string[], { all }: ChangeOptions, verb: string): void {
  if (ids.length > 0 !== (all === true)) return;
  const said = all ? 'You named messages and gave --all.' : `You named no message to ${verb}.`;
  throw new Fault('usage', said, 'Name messages, or give --all alone.');
}
