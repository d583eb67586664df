import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import { gatherAttention } from '../../attention/gather.ts';
import type { Client } from '../../client/client.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { AttentionDocument } from '../../protocol/printed.ts';
import { systemClock } from '../../shared/clock.ts';
import { formatAge } from '../../shared/units.ts';
import { LiveRing } from '../live-ring.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { paint, steer } from '../screen-codes.ts';
import { formatStatusLine } from '../status-line.ts';
import { type Change, watchChanges } from '../watch-changes.ts';
import { example, jsonOption } from './options.ts';

interface AttentionOptions {
  readonly watch?: true;
  readonly json?: true;
}

/** What needs a person: as a list, live, and as one line for a status bar. */
export function addAttentionCommands(program: Command): void {
  const attention = program
    .command('attention')
    .description('list what needs you, oldest first: questions, failures, unread messages')
    .option(
      '--watch',
      'refresh until you interrupt it; with --json, print one document per change',
    );
  jsonOption(attention);
  example(attention, 'signalbox attention', 'signalbox attention --watch');
  attention.action((options: AttentionOptions) =>
    withClient(async (client) => {
      if (options.watch) return watch(client, options.json === true);
      return show(await look(client), options.json === true);
    }),
  );
  const line = program
    .command('tmux-status')
    .description('print one line for a status bar: who waits for you, and what is unread');
  jsonOption(line);
  example(line, `tmux set -g status-right '#(signalbox tmux-status)'`);
  line.action((options: AttentionOptions) =>
    withClient(async (client) => {
      const items = await look(client, true);
      if (options.json) return writeJson<AttentionDocument>({ items });
      const text = formatStatusLine(items);
      return writeOut(text === '' ? '' : `${inLine(text)}\n`);
    }),
  );
}

async function look(client: Client, startsNothing = false): Promise<AttentionDocument['items']> {
  return gather(client, await client.listAgents(undefined, { startsNothing }));
}

async function gather(
  client: Client,
  agents: readonly AgentView[],
): Promise<AttentionDocument['items']> {
  const own = { states: ['queued', 'uncertain'] as const, max: 1 };
  const { messages: unread, remaining } = await client.listInbox(undefined, own);
  const dead = await client.listDeadLetters({ max: 1 });
  const count = (shown: readonly unknown[], more = 0): number => shown.length + more;
  return gatherAttention(
    agents,
    { count: count(unread, remaining), since: unread[0]?.createdAt },
    { count: count(dead.messages, dead.remaining), since: dead.messages[0]?.createdAt },
  );
}

function show(items: AttentionDocument['items'], json: boolean): void {
  if (json) writeJson<AttentionDocument>({ items });
  else writeOut(describe(items));
}

function describe(items: AttentionDocument['items']): string {
  if (items.length === 0) return `${paint('dim', 'nothing needs you')}\n`;
  const lines = items.map(({ kind, agent, since, text, next }) => {
    const ms = Math.max(0, systemClock.now() - Date.parse(since));
    const age = formatAge(ms);
    const what = agent ? `${callName(agent)}: ${text}` : text;
    const style = kind === 'question' ? 'yellow' : kind === 'unread' ? 'bold' : 'red';
    return `${age.padStart(5)}  ${paint(style, inLine(what))}\n       → ${inLine(next)}\n`;
  });
  return lines.join('');
}

const redrawMs = 5000;

async function watch(client: Client, json: boolean): Promise<void> {
  const isTerminal = process.stdout.isTTY && !json;
  const ring = new LiveRing(json);
  let shown = '';
  const redraw = async (startsNothing = true, change?: Change): Promise<void> => {
    const agents = await client.listAgents(undefined, { startsNothing });
    const items = await gather(client, agents);
    if (isTerminal) {
      const rows = describe(items).split('\n');
      writeOut(`${steer('[H')}${rows.join(`${steer('[K')}\n`)}${steer('[J')}`);
      return ring.take(agents, client.caller.id, change);
    }
    const key = JSON.stringify(items);
    if (key === shown) return;
    shown = key;
    show(items, json);
  };
  await redraw(false);
  const over = new AbortController().signal;
  const watched = { topics: ['agent.*.*', 'message.*.*'], everyMs: redrawMs, over };
  for await (const change of watchChanges(client, watched)) await redraw(true, change);
}
