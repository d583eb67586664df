import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { AgentList, AgentView } from '../../protocol/agents.ts';
import { pause, systemClock } from '../../shared/clock.ts';
import { formatSpan } from '../../shared/units.ts';
import { formatTable, inLine, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { paint, type Style, steer } from '../screen-codes.ts';
import { example, jsonOption } from './options.ts';

interface ListOptions {
  readonly session?: string;
  readonly watch?: true;
  readonly json?: true;
}

export function addListCommand(parent: Command): void {
  const command = parent
    .command('ls')
    .description('list agents: name, status, since, inbox, parent, and who owes whom an answer')
    .option('--session <session>', 'only this session')
    .option(
      '--watch',
      'refresh until you interrupt it; with --json, print one document per change',
    );
  jsonOption(command);
  example(command, 'signalbox ls --session checkout', 'signalbox ls --watch');
  command.action((options: ListOptions) =>
    withClient(async (client) => {
      if (options.watch) return watch(client, options);
      return show(await client.listAgents(options.session), options);
    }),
  );
}

function show(agents: readonly AgentView[], { json, session }: ListOptions): void {
  if (json) writeJson<AgentList>({ agents });
  else writeOut(describe(agents, session));
}

/** Redraws on every event. Ages grow by themselves, so it also redraws now and then. */
async function watch(client: Client, options: ListOptions): Promise<void> {
  const isTerminal = process.stdout.isTTY && !options.json;
  let shown = '';
  const redraw = async (startsNothing = true): Promise<void> => {
    // Whoever stops the daemon meanwhile means it.
    const agents = await client.listAgents(options.session, { startsNothing });
    if (isTerminal)
      return writeOut(`${steer('[H')}${steer('[2J')}${describe(agents, options.session)}`);
    // Without a terminal nothing is erased: only what changed is worth a document.
    const key = JSON.stringify(agents);
    if (key === shown) return;
    shown = key;
    show(agents, options);
  };
  await redraw(false);
  const events = client.watchEvents(['agent.*.*'])[Symbol.asyncIterator]();
  let next = events.next();
  for (;;) {
    const enough = new AbortController();
    const woken = await Promise.race([
      next.then(() => 'event' as const),
      pause(systemClock, redrawMs, enough.signal).then(() => 'age' as const),
    ]);
    enough.abort();
    if (woken === 'event') {
      if ((await next).done) return;
      next = events.next();
    }
    await redraw();
  }
}

const redrawMs = 5000;

function describe(agents: readonly AgentView[], session: string | undefined): string {
  if (agents.length === 0) return `no agents in session ${inLine(session ?? '')}\n`;
  const hasProfiles = agents.some(({ profile }) => profile !== undefined);
  const inUse = new Set(agents.map(({ backend }) => backend).filter((name) => name !== 'none'));
  const hasBackends = inUse.size > 1;
  const rows = agents.map((agent) => [
    agent.name,
    agent.session,
    describeStatus(agent),
    formatSpan(Math.max(0, systemClock.now() - Date.parse(agent.since))),
    describeInbox(agent.inbox),
    agent.parent?.name ?? '-',
    describeDebts(agent),
    ...(hasProfiles ? [agent.profile ?? '-'] : []),
    ...(hasBackends ? [agent.backend === 'none' ? '-' : agent.backend] : []),
    agent.id,
  ]);
  const more = [...(hasProfiles ? ['PROFILE'] : []), ...(hasBackends ? ['BACKEND'] : [])];
  const heads = ['NAME', 'SESSION', 'STATUS', 'SINCE', 'INBOX', 'PARENT', 'OWES', ...more, 'ID'];
  const table = formatTable(heads, rows);
  const notes = agents.flatMap(({ name, notes = [], broken, held }) =>
    [
      ...(broken === undefined ? [] : [broken]),
      ...(held ? [`mail is held back: ${held.why}`] : []),
      ...notes,
    ].map((note) => `${inLine(name)}: ${inLine(note)}\n`),
  );
  const unwoken = describeUnwoken(agents);
  const onlyUser = agents.length === 1 && agents[0]?.name === 'user';
  const hint = onlyUser
    ? `${paint('dim', 'start one: signalbox launch claude    add one that pulls: signalbox agents add <name>')}\n`
    : '';
  return `${colour(table)}${notes.join('')}${unwoken}${hint}`;
}

/**
 * In one line, however many they are: where they live that is how it stays, and `status` says the
 * rest.
 */
function describeUnwoken(agents: readonly AgentView[]): string {
  const [first, ...more] = agents.filter(({ unwoken }) => unwoken !== undefined);
  if (!first) return '';
  const names = [first, ...more].map(({ name }) => name).join(', ');
  const them = more.length === 0 ? 'it' : 'them';
  return `${inLine(names)}: no message wakes ${them} at rest; see signalbox status ${inLine(first.name)}\n`;
}

/** After the widths are known: a status is recognised by its word in its column. */
function colour(table: string): string {
  return table.replace(
    /(?<= {2})(processing|waiting|error|exited|completed|idle)(?=[: ])/g,
    (word) => paint(styles[word] ?? 'dim', word),
  );
}

const styles: Readonly<Record<string, Style>> = {
  processing: 'blue',
  waiting: 'yellow',
  error: 'red',
  exited: 'dim',
  completed: 'green',
  idle: 'green',
};

export function describeStatus({ status, detail }: AgentView): string {
  return detail ? `${status}: ${inLine(detail)}` : status;
}

/** Whom it owes an answer. */
function describeDebts({ owes = [] }: AgentView): string {
  const counts = new Map<string, number>();
  for (const { to } of owes) counts.set(to.name, (counts.get(to.name) ?? 0) + 1);
  const parts = [...counts].map(([name, n]) => (n === 1 ? name : `${name} (${n})`));
  return parts.join(', ') || '-';
}

export function describeInbox(inbox: AgentView['inbox']): string {
  const parts = Object.entries(inbox)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${n} ${state}`);
  return parts.join(', ') || 'empty';
}
