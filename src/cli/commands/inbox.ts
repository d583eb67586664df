import type { Command } from 'commander';
import type { Drain } from '../../client/client.ts';
import type { MessageState } from '../../messages/message.ts';
import { messageStates, openStates } from '../../messages/transitions.ts';
import type { AckResult, DrainResult, InboxList, PartView } from '../../protocol/messages.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { UnwrittenFault } from '../../shared/unwritten.ts';
import { describePart, listNamed, messageTable, type Names } from '../message-text.ts';
import { inLine, syncOut, writeDocument, writeJson, writeOut } from '../output.ts';
import { openReading } from '../reader.ts';
import { withClient } from '../run.ts';
import { example, jsonOption, parseCount } from './options.ts';

export function addInboxCommands(program: Command): void {
  const inbox = program
    .command('inbox')
    .description('look into an inbox, take messages from it, ack them');
  example(inbox, 'signalbox inbox list worker', 'signalbox inbox drain worker');
  addList(inbox);
  addShow(inbox);
  addDrain(inbox);
  addAck(inbox);
}

function addList(inbox: Command): void {
  const command = inbox
    .command('list [agent]')
    .description('list messages and take none')
    .option('--state <states>', 'only these states, separated by commas; `all` for every one')
    .option('--max <n>', 'list at most this many', parseCount, 1000);
  jsonOption(command);
  example(command, 'signalbox inbox list worker --state queued,uncertain');
  command.action(async (agent: string | undefined, options: ListOptions) => {
    const states = parseStates(options.state);
    await withClient(async (client) => {
      const list = await client.listInbox(agent, { states, max: options.max });
      return options.json ? writeJson<InboxList>(list) : writeOut(messageTable(list, 'from'));
    });
  });
}

interface ListOptions {
  readonly state?: string;
  readonly max: number;
  readonly json?: true;
}

function parseStates(text: string | undefined): readonly MessageState[] {
  if (text === undefined) return openStates;
  if (text === 'all') return messageStates;
  const states = text.split(',').map((state) => state.trim());
  const unknown = states.find((state) => !(messageStates as readonly string[]).includes(state));
  if (unknown === undefined) return states as MessageState[];
  throw new Fault(
    'usage',
    `There is no state ${quote(unknown, 40)}.`,
    `States are ${messageStates.join(', ')}.`,
  );
}

function addShow(inbox: Command): void {
  const command = inbox
    .command('show <message>')
    .description('print one message with its body')
    .option(
      '--part <n>',
      'print only this part of a long body; a part has at most 8 KB',
      parseCount,
    );
  jsonOption(command);
  example(command, 'signalbox inbox show 412', 'signalbox inbox show lead:412 --part 2');
  command.action((id: string, options: { part?: number; json?: true }) =>
    withClient(async (client) => {
      const { part, json } = options;
      // A model sees some 10 KB of what its shell prints; a program reads any length.
      const shown = await client.showOut(id, { part, inParts: !json });
      if (json) writeJson<PartView>(shown.message);
      else {
        const { lead, first } = openReading();
        const names = await client.nameMessages(listNamed(shown.message));
        writeOut(`${first}${describePart(shown.message, names, lead)}`);
      }
      syncOut();
      // Its body counts as handed out once each of its parts was shown (rule 13).
      await shown.finish();
    }),
  );
}

function addDrain(inbox: Command): void {
  const command = inbox
    .command('drain [agent]')
    .description('take messages; you can run it again safely, even after it was killed')
    .option(
      '--max <n>',
      'take at most this many (never more than 1000 or 16 MiB at once)',
      parseCount,
    );
  jsonOption(command);
  example(
    command,
    'signalbox inbox drain worker --json',
    'SIGNALBOX_AGENT=worker signalbox inbox drain',
  );
  command.action((agent: string | undefined, options: { max?: number; json?: true }) =>
    withClient(async (client) => {
      const { max, json } = options;
      const drain = await client.drain(agent, { max, inParts: !json });
      const named = json ? [] : drain.messages.flatMap(listNamed);
      await hand(drain, json === true, await client.nameMessages(named));
    }),
  );
}

/** The whole output is one unit: nothing is acked before its last byte is flushed (rule 17). */
async function hand(drain: Drain, json: boolean, names: Names): Promise<void> {
  const n = drain.messages.length;
  const several = `${n} message${n === 1 ? '' : 's'}`;
  try {
    json ? writeDocument(formatJson(drain)) : writeOut(formatText(drain, names));
    syncOut();
  } catch (error) {
    // If even that cannot be written down, our death will tell the same.
    await drain
      .lose('the output could not be written to its end')
      .catch((left) => reportBug('losing what was drained', left));
    if (!(error instanceof Fault) || n === 0) throw error;
    const message = `${error.message} ${several} may have been read.`;
    throw new Fault(
      error.code,
      message,
      'Drain again: signalbox hands them out once more, marked.',
    );
  }
  await reachFailPoint('drain.printed');
  try {
    await drain.finish();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const why = error instanceof UnwrittenFault ? error.why : error.message;
    const message = `${several} handed out, but that could not be written down: ${why}`;
    throw new Fault(error.code, message, 'The next drain hands them out again, marked.', {
      cause: error,
    });
  }
}

function formatJson({ messages, remaining, deadLetters }: Drain): string {
  const document: DrainResult = { messages, remaining, deadLetters };
  return JSON.stringify(document);
}

function formatText({ messages: shown, remaining, deadLetters }: Drain, names: Names): string {
  const { lead, first } = openReading();
  const parts = shown.map((message) => `${describePart(message, names, lead)}\n`);
  if (shown.length === 0) parts.push(`${lead}nothing waits\n`);
  if (remaining > 0) parts.push(`${lead}${remaining} more; drain again\n`);
  if (deadLetters > 0) parts.push(`${lead}${deadLetters} dead: signalbox dead-letters list\n`);
  return `${first}${parts.join('')}`;
}

function addAck(inbox: Command): void {
  const command = inbox
    .command('ack <messages...>')
    .description('ack messages by number or id, also while a route carries them');
  jsonOption(command);
  example(command, 'signalbox inbox ack 412 413');
  command.action((ids: string[], options: { json?: true }) =>
    withClient(async (client) => {
      const acked = await client.ack([...new Set(ids)]);
      if (options.json) return writeJson<AckResult>({ messages: acked });
      const names = await client.nameMessages(acked.map(({ id }) => id));
      return writeOut(acked.map(({ id, state }) => `${inLine(names(id))} ${state}\n`).join(''));
    }),
  );
}
