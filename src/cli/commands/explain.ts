import type { Command } from 'commander';
import type { Explanation, MessageView } from '../../protocol/messages.ts';
import { describeMessage } from '../message-text.ts';
import { formatTime, neutralise, paint, type Style, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain <message>')
    .description('the whole story of one message, with the evidence');
  jsonOption(command);
  example(command, 'signalbox explain msg_…');
  command.action((id: string, options: { json?: true }) =>
    withClient(async (client) => {
      const story = await client.explain(id);
      return options.json ? writeJson(story) : writeOut(tell(story));
    }),
  );
}

const styles: Readonly<Record<string, Style>> = {
  acked: 'green',
  seen: 'green',
  uncertain: 'yellow',
  expired: 'red',
  dead: 'red',
};

function tell({ message, history, attempts }: Explanation): string {
  const lines = [describeMessage(message)];
  for (const { at, from, to, cause, evidence } of history) {
    const state = paint(styles[to] ?? 'cyan', to.padEnd(10));
    // An insert is fsynced before anybody is told about it.
    const durable = from === null ? ' (fsynced)' : '';
    lines.push(`${formatTime(at, message.createdAt)}  ${state}  ${neutralise(cause)}${durable}`);
    if (evidence) lines.push(`${' '.repeat(26)}${paint('dim', neutralise(evidence))}`);
  }
  if (attempts.length > 0) lines.push('');
  attempts.forEach(({ at, route, epoch, outcome }, i) => {
    lines.push(
      `attempt ${i + 1}  ${formatTime(at, message.createdAt)}  ${route}, epoch ${epoch}: ${outcome}`,
    );
  });
  const ending = whatNext(message, history.at(-1)?.evidence);
  if (ending) lines.push('', paint('dim', ending));
  return `${lines.join('\n')}\n`;
}

function whatNext(message: MessageView, evidence: string | undefined): string | undefined {
  if (message.state !== 'dead' && message.state !== 'expired') {
    return waitsFor[message.state]?.replace('$to', message.to.name);
  }
  const told = evidence ? 'Its sender was told.' : 'Nobody was there to be told.';
  const isGone = ['recipient_removed', 'parent_removed', 'orphan'].includes(message.reason ?? '');
  return isGone
    ? told
    : `${told} \`signalbox dead-letters retry\` puts it back, if ${message.to.name} still lives.`;
}

/** What has to happen next, for the states in which something has. */
const waitsFor: Readonly<Record<string, string>> = {
  queued: 'It waits for $to to drain its inbox.',
  claimed: 'Somebody is taking it right now; a dead taker leaves it uncertain.',
  injected: 'It was handed out; nothing yet proves that it was read.',
  uncertain: 'Nobody knows whether it was read: the next drain hands it out again, marked.',
};
