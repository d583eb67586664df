import { isUser } from '../agents/agent.ts';
import { describeQuestion, wayToAnswer } from '../agents/describe-question.ts';
import { callName } from '../agents/reference.ts';
import type { AgentView } from '../protocol/agents.ts';
import { cellWidth, shorten } from '../shared/cell-width.ts';
import { formatAge } from '../shared/units.ts';
import { describeFolded, hasEndedItself, partEnded } from './fold-ended.ts';
import { growTree, type TreeRow } from './ls-rows.ts';
import { inLine } from './output.ts';
import type { Style } from './screen-codes.ts';

export interface ListSight {
  /** All of them, the user too. */
  readonly agents: readonly AgentView[];
  /** The one that is looked at; of the others there is a line each. Undefined: all are. */
  readonly session: string | undefined;
  /** The one in which the reader stands: agents of it are named without their session. */
  readonly here: string | undefined;
  /** Whose inbox the last line is about, by id. */
  readonly own: string;
  /** Wall time. */
  readonly now: number;
  /** Workers that ended by themselves have a row each. */
  readonly showsEnded?: boolean;
  /** No row is wider. */
  readonly columns: number;
}

type Paint = (style: Style, text: string) => string;

/** In fewer columns names are cut shorter. */
const roomyColumns = 72;
/** Of a debt or a question so much is shown beside other words, or it gets a line of its own. */
const leastWords = 36;
const leastAsked = 16;
const mostName = 28;
const statusWidth = 16;

/**
 * The table that people look at: a tree of the session at hand, a line for every other one, and the
 * reader's own inbox at the end. Pure; `paint` adds colours, which have no width.
 */
export function layOutAgents(sight: ListSight, paint: Paint): readonly string[] {
  const others = sight.agents.filter((agent) => !isUser(agent));
  const sessions = [...new Set(others.map(({ session }) => session))].toSorted();
  const shown = sight.session === undefined ? sessions : [sight.session];
  const inShown = shown.map((session) => {
    const all = others.filter((agent) => agent.session === session);
    return sight.showsEnded ? { shown: all, folded: [] } : partEnded(all);
  });
  const widths = measure(
    inShown.flatMap(({ shown: agents }) => growTree(agents)),
    sight,
  );
  const trees = shown.flatMap((session, i) => {
    const { shown: agents = [], folded = [] } = inShown[i] ?? {};
    const rows = growTree(agents).flatMap((row) => layOutRow(row, widths, sight, paint));
    const ended = folded.length === 0 ? [] : [describeFolded(folded)];
    const tree = [...rows, ...ended.map((line) => paint('dim', cutTo(line, sight.columns)))];
    const isNamed = sessions.length > 1 || sight.session !== undefined;
    const title = tree.length === 0 ? `no agents in session ${inLine(session)}` : inLine(session);
    return [...(isNamed ? [paint('bold', cutTo(title, sight.columns))] : []), ...tree];
  });
  const rest = sessions.filter((session) => !shown.includes(session));
  const beside = rest.flatMap((session) =>
    layOutOther(
      session,
      others.filter((agent) => agent.session === session),
      sight,
      paint,
    ),
  );
  return [...trees, ...beside, ...layOutInbox(sight, paint)];
}

interface Widths {
  readonly name: number;
  readonly status: number;
  readonly since: number;
}

/** One for all sessions that are shown, so that their columns line up. */
function measure(rows: readonly TreeRow[], { columns, here, now }: ListSight): Widths {
  const widest = (cells: readonly string[]): number => Math.max(0, ...cells.map(cellWidth));
  const isRoomy = columns >= roomyColumns;
  return {
    name: Math.min(
      isRoomy ? Math.max(mostName, Math.floor(columns / 4)) : 20,
      widest(rows.map(({ agent, branch }) => `${branch}${inLine(callName(agent, here))}`)),
    ),
    status: Math.min(statusWidth, widest(rows.map(({ agent }) => describeStatus(agent)))),
    since: widest(rows.map(({ agent }) => describeAge(agent, now))),
  };
}

function layOutRow(
  { agent, branch, below }: TreeRow,
  widths: Widths,
  { here, now, columns }: ListSight,
  paint: Paint,
): readonly string[] {
  const name = cutTo(`${branch}${inLine(callName(agent, here))}`, widths.name);
  const status = cutTo(describeStatus(agent), widths.status);
  const cells = [
    pad(name, widths.name),
    paint(statusStyles[agent.status] ?? 'dim', status) + blank(widths.status - cellWidth(status)),
    pad(describeAge(agent, now), widths.since),
  ];
  const room = columns - (widths.name + widths.status + widths.since + 2 * cells.length);
  const mail = describeMail(agent);
  const debts = (agent.owes ?? []).map((debt) => describeDebt(debt, here));
  const [way = ''] = describeWay(agent);
  // As much of it beside the agent as can be read there; the rest hangs below.
  const fits = (text: string, least = Number.POSITIVE_INFINITY): boolean =>
    cellWidth(text) <= room || room >= least;
  const withDebt = [mail, ...debts.slice(0, 1)].filter(Boolean).join('; ');
  const isDebtBeside = fits(withDebt, cellWidth(mail) + leastWords);
  const told = isDebtBeside ? withDebt : mail;
  const withWay = [told, way].filter(Boolean).join(' ');
  const isWayBeside = fits(withWay);
  const row = `${cells.join('  ')}  ${cutTo(isWayBeside ? withWay : told, room)}`;
  const asks =
    agent.status === 'waiting'
      ? hangQuestion(agent, `${below}  `, columns).map((line) => paint('yellow', line))
      : [];
  const hung = [
    ...debts.slice(isDebtBeside ? 1 : 0),
    ...(way === '' || isWayBeside ? [] : [way]),
  ].map((line) => paint('dim', cutTo(`${below}  ${line}`, columns)));
  return [row.trimEnd(), ...asks, ...hung];
}

/** What brings back one that does not run. */
function describeWay(agent: AgentView): readonly string[] {
  const { status, backend } = agent;
  const isBack = agent.endingCode === 'coming-back' || agent.endingCode === 'no-room';
  const isGone = status === 'exited' && backend !== 'none' && !isBack;
  return isGone ? [`→ signalbox restart ${inLine(callName(agent))}`] : [];
}

/** The way to it stays readable, whatever the question is. */
function hangQuestion(agent: AgentView, lead: string, columns: number): readonly string[] {
  const way = `→ ${wayToAnswer(agent, inLine(callName(agent)))}`;
  const room = columns - cellWidth(lead) - cellWidth(way) - 'asks:  '.length;
  const asked = inLine(describeQuestion(agent));
  if (room >= Math.min(leastAsked, cellWidth(asked)))
    return [`${lead}asks: ${cutTo(asked, room)} ${way}`];
  const indent = lead.replace(/\S+ $/u, (name) => blank(cellWidth(name)));
  return [cutTo(`${lead}asks: ${asked}`, columns), cutTo(`${indent}${way}`, columns)];
}

/** A waiting agent is never hidden. */
function layOutOther(
  session: string,
  agents: readonly AgentView[],
  { columns }: ListSight,
  paint: Paint,
): readonly string[] {
  const asking = agents.filter(({ status }) => status === 'waiting');
  const counts = new Map<string, number>();
  for (const agent of [...asking, ...agents.filter((one) => !asking.includes(one))]) {
    const what = isPuller(agent) ? 'pulls' : hasEndedItself(agent) ? 'ended' : agent.status;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const parts = [...counts].map(([what, n]) => `${n} ${what === 'pulls' && n > 1 ? 'pull' : what}`);
  const way = ` → signalbox ls --session ${inLine(session)}`;
  const what = cutTo(`${inLine(session)}: ${parts.join(', ')}`, columns - cellWidth(way));
  return [
    paint('dim', cutTo(`${what}${way}`, columns)),
    ...asking.flatMap((agent) =>
      hangQuestion(agent, `  ${inLine(callName(agent))} `, columns).map((line) =>
        paint('yellow', line),
      ),
    ),
  ];
}

function layOutInbox({ agents, own, columns }: ListSight, paint: Paint): readonly string[] {
  const mine = agents.find(({ id }) => id === own);
  if (!mine) return [];
  const { queued, uncertain, dead } = mine.inbox;
  const open = queued + uncertain;
  const what =
    open === 0 ? 'your inbox is empty' : `your inbox: ${open} unread → signalbox inbox drain`;
  const lost = dead === 0 ? '' : `; ${dead} dead ${dead === 1 ? 'letter' : 'letters'}`;
  return [paint(open > 0 ? 'bold' : 'dim', cutTo(`${what}${lost}`, columns))];
}

/** It pulls its messages, and nobody sees what it does. */
function isPuller({ status, backend }: AgentView): boolean {
  return backend === 'none' && status === 'unknown';
}

function describeStatus(agent: AgentView): string {
  const { status, detail } = agent;
  if (isPuller(agent)) return 'pulls';
  const isAsked = status === 'waiting' || detail === undefined;
  return isAsked ? status : `${status}: ${inLine(detail)}`;
}

function describeAge({ since, backend }: AgentView, now: number): string {
  if (backend === 'none') return '';
  const ms = Math.max(0, now - Date.parse(since));
  return formatAge(ms);
}

function describeMail({ inbox: { queued, uncertain, dead } }: AgentView): string {
  const parts = [
    ...(queued > 0 ? [`${queued} queued`] : []),
    ...(uncertain > 0 ? [`${uncertain} uncertain`] : []),
    ...(dead > 0 ? [`${dead} dead`] : []),
  ];
  return parts.join(', ');
}

function describeDebt(
  { to, about }: NonNullable<AgentView['owes']>[number],
  here: string | undefined,
): string {
  return `owes ${inLine(callName(to, here))}${about === undefined ? '' : `: ${inLine(about)}`}`;
}

function cutTo(text: string, columns: number): string {
  if (cellWidth(text) <= columns) return text;
  if (columns <= 1) return '…'.slice(0, Math.max(0, columns));
  return `${shorten(text, columns - 1)}…`;
}

function pad(text: string, columns: number): string {
  return text + blank(columns - cellWidth(text));
}

function blank(columns: number): string {
  return ' '.repeat(Math.max(0, columns));
}

/** How a status is painted, in the tree and in the wide table. */
export const statusStyles: Readonly<Record<string, Style>> = {
  processing: 'blue',
  waiting: 'yellow',
  error: 'red',
  exited: 'dim',
  completed: 'green',
  idle: 'green',
};
