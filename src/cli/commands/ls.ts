import type { Command } from 'commander';
import { isUser } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import type { Client } from '../../client/client.ts';
import type { AgentList, AgentView } from '../../protocol/agents.ts';
import type { EventView } from '../../protocol/events.ts';
import { systemClock } from '../../shared/clock.ts';
import { formatAge } from '../../shared/units.ts';
import { fold } from '../fold.ts';
import { LiveRing } from '../live-ring.ts';
import { layOutAgents, statusStyles } from '../ls-layout.ts';
import { formatTable, inLine, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { paint, steer } from '../screen-codes.ts';
import { type Change, watchChanges } from '../watch-changes.ts';
import { example, jsonOption } from './options.ts';

interface ListOptions {
  readonly session?: string;
  readonly all?: true;
  readonly wide?: true;
  readonly watch?: true;
  readonly json?: true;
}

export function addListCommand(parent: Command): void {
  const command = parent
    .command('ls')
    .description('show who does what, who waits for you, and who owes whom an answer')
    .option('--session <session>', 'this session in full instead of that of this project')
    .option('--all', 'every session in full, and every worker that ended with its task')
    .option('--wide', 'print one wide table with every column, ids too')
    .option(
      '--watch',
      'refresh until you interrupt it; with --json, print one document per change',
    );
  jsonOption(command);
  example(command, 'signalbox ls --session checkout', 'signalbox ls --watch');
  command.action((options: ListOptions) =>
    withClient(async (client) => {
      if (options.watch) return watch(client, options);
      return show(await list(client, options), client, options, await findPlace(client, options));
    }),
  );
}

/** Documents and the wide table have the rows of one session; people see the others as well. */
function list(
  client: Client,
  { session, json, wide }: ListOptions,
  how: { readonly startsNothing?: boolean } = {},
): Promise<readonly AgentView[]> {
  return client.listAgents(json || wide ? session : undefined, how);
}

interface ListPlace {
  /** The session that is shown in full: the one that is named, else the caller's own. */
  readonly shown: string | undefined;
  /** The caller's own. */
  readonly here: string | undefined;
}

async function findPlace(client: Client, options: ListOptions): Promise<ListPlace> {
  if (options.json || options.wide) return { shown: undefined, here: undefined };
  const here = await client.findSession();
  if (options.all) return { shown: undefined, here };
  return { shown: options.session?.normalize('NFC') ?? here, here };
}

function show(
  agents: readonly AgentView[],
  client: Client,
  options: ListOptions,
  place: ListPlace,
): void {
  if (options.json) writeJson<AgentList>({ agents });
  else writeOut(describe(agents, client, options, place));
}

/** Redraws on every event. Ages grow by themselves, so it also redraws now and then. */
async function watch(client: Client, options: ListOptions): Promise<void> {
  const isTerminal = process.stdout.isTTY && !options.json;
  const ring = new LiveRing(options.json === true);
  let shown = '';
  const redraw = async (startsNothing = true, change?: Change): Promise<void> => {
    // Whoever stops the daemon meanwhile means it.
    const agents = await list(client, options, { startsNothing });
    const place = await findPlace(client, options);
    if (isTerminal) {
      const rows = describe(agents, client, options, place).split('\n');
      writeOut(`${steer('[H')}${rows.join(`${steer('[K')}\n`)}${steer('[J')}`);
      return ring.take(agents, client.caller.id, change);
    }
    // Without a terminal nothing is erased: only what changed is worth a document.
    const key = JSON.stringify(agents);
    if (key === shown) return;
    shown = key;
    show(agents, client, options, place);
  };
  await redraw(false);
  const over = new AbortController().signal;
  const topics = ['agent.*.*', 'message.*.queued'];
  for await (const change of watchChanges(client, { topics, everyMs: redrawMs, over })) {
    if (change === 'time' || isForUs(change, client.caller.id)) await redraw(true, change);
  }
}

/** What goes to others shows with their agents. */
function isForUs({ topic, data }: EventView, caller: string): boolean {
  return !topic.startsWith('message.') || data['to'] === caller;
}

const redrawMs = 5000;

function describe(
  agents: readonly AgentView[],
  { caller }: Client,
  { session, wide, all }: ListOptions,
  { shown, here }: ListPlace,
): string {
  if (wide) return describeWide(agents, session);
  // Nobody works in this project: then all others are worth their rows.
  const isEmpty = !agents.some((agent) => !isUser(agent) && agent.session === shown);
  const columns = process.stdout.columns || Number(process.env['COLUMNS']) || pipeColumns;
  const sight = {
    ...{ agents, here, own: caller.id, now: systemClock.now(), columns: Math.max(20, columns) },
    session: session === undefined && isEmpty ? undefined : shown,
    showsEnded: all === true,
  };
  const lines = [...layOutAgents(sight, paint)];
  const notes = describeNotes(agents).flatMap((note) => fold(note, sight.columns));
  const onlyUser = agents.length === 1 && agents[0]?.name === 'user';
  const hint = onlyUser ? [paint('dim', startOne)] : [];
  return [...hint, ...lines.slice(0, -1), ...notes, ...lines.slice(-1), ''].join('\n');
}

const startOne = 'no agents yet; start one: signalbox launch claude';
/** Nobody reads a pipe by its width. */
const pipeColumns = 1000;

function describeNotes(agents: readonly AgentView[]): readonly string[] {
  const notes = agents.flatMap(({ notes = [], broken, held, ...agent }) =>
    [
      ...(broken === undefined ? [] : [broken]),
      ...(held ? [`mail is held back: ${held.why}`] : []),
      ...notes,
    ].map((note) => `${inLine(callName(agent))}: ${inLine(note)}`),
  );
  const unwoken = describeUnwoken(agents).trimEnd();
  return [...notes, ...(unwoken === '' ? [] : [unwoken])];
}

/** Every column, however wide. */
function describeWide(agents: readonly AgentView[], session: string | undefined): string {
  if (agents.length === 0) return `no agents in session ${inLine(session ?? '')}\n`;
  const hasProfiles = agents.some(({ profile }) => profile !== undefined);
  const inUse = new Set(agents.map(({ backend }) => backend).filter((name) => name !== 'none'));
  const hasBackends = inUse.size > 1;
  const rows = agents.map((agent) => [
    callName(agent),
    agent.session,
    describeStatus(agent),
    formatAge(Math.max(0, systemClock.now() - Date.parse(agent.since))),
    describeInbox(agent.inbox),
    agent.parent ? callName(agent.parent) : '-',
    describeDebts(agent),
    ...(hasProfiles ? [agent.profile ?? '-'] : []),
    ...(hasBackends ? [agent.backend === 'none' ? '-' : agent.backend] : []),
    agent.id,
  ]);
  const more = [...(hasProfiles ? ['PROFILE'] : []), ...(hasBackends ? ['BACKEND'] : [])];
  const heads = ['NAME', 'SESSION', 'STATUS', 'SINCE', 'INBOX', 'PARENT', 'OWES', ...more, 'ID'];
  const table = formatTable(heads, rows);
  return `${colour(table)}${describeNotes(agents)
    .map((note) => `${note}\n`)
    .join('')}`;
}

/**
 * In one line, however many they are: where they live that is how it stays, and `status` says the
 * rest.
 */
function describeUnwoken(agents: readonly AgentView[]): string {
  const [first, ...more] = agents.filter(({ unwoken }) => unwoken !== undefined);
  if (!first) return '';
  const names = [first, ...more].map((one) => callName(one)).join(', ');
  const them = more.length === 0 ? 'it' : 'them';
  return `${inLine(names)}: no message wakes ${them} at rest; see signalbox status ${inLine(callName(first))}\n`;
}

/** After the widths are known: a status is recognised by its word in its column. */
function colour(table: string): string {
  return table.replace(
    /(?<= {2})(processing|waiting|error|exited|completed|idle)(?=[: ])/g,
    (word) => paint(statusStyles[word] ?? 'dim', word),
  );
}

export function describeStatus({ status, detail }: AgentView): string {
  return detail ? `${status}: ${inLine(detail)}` : status;
}

/** Whom it owes an answer. */
function describeDebts({ owes = [] }: AgentView): string {
  const counts = new Map<string, number>();
  for (const name of owes.map(({ to }) => callName(to))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].map(([name, n]) => (n === 1 ? name : `${name} (${n})`));
  return parts.join(', ') || '-';
}

export function describeInbox(inbox: AgentView['inbox']): string {
  const parts = Object.entries(inbox)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${n} ${state}`);
  return parts.join(', ') || 'empty';
}
