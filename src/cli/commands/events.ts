import type { Command } from 'commander';
import type { EventList, EventView } from '../../protocol/events.ts';
import { formatTime, inLine, writeDocument, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { paint } from '../screen-codes.ts';
import { example, gather, jsonOption } from './options.ts';

export function addEventsCommand(program: Command): void {
  const command = program
    .command('events')
    .description('print recent events; with --follow, print new ones as they come')
    .option(
      '--follow',
      'print new events until you interrupt it; with --json, one document per line',
    )
    .option(
      '--topic <pattern>',
      'print only this topic; * stands for one word; repeatable',
      gather,
    );
  jsonOption(command);
  example(
    command,
    "signalbox events --follow --topic 'agent.*.status'",
    "signalbox events --topic 'agent.*.exited' --json",
  );
  command.action(({ topic = [], ...options }: EventOptions) =>
    withClient(async (client) => {
      if (!options.follow) {
        const events = await client.recentEvents(topic);
        if (options.json) return writeJson<EventList>({ events });
        return writeOut(events.map(describe).join(''));
      }
      for await (const event of client.watchEvents(topic)) {
        if (options.json) writeDocument(JSON.stringify(event));
        else writeOut(describe(event));
      }
      return undefined;
    }),
  );
}

interface EventOptions {
  readonly follow?: true;
  readonly topic?: readonly string[];
  readonly json?: true;
}

function describe({ at, topic, data }: EventView): string {
  // By its full name: later than now, another agent may have its name alone.
  const { name, session, ...rest } = data;
  const full = typeof session === 'string' ? `${session}/${name}` : name;
  const who = typeof name === 'string' ? `${full}  ` : '';
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${formatTime(at)}  ${inLine(topic)}  ${inLine(who)}${paint('dim', inLine(facts.join(' ')))}\n`;
}
