import { wrap } from '../shared/cell-width.ts';
import { revealLine } from '../shared/reveal.ts';
import { type Cause, kinds } from './cause.ts';

export interface Words {
  readonly title: string;
  readonly body: string;
}

/** So many lines a desktop shows without folding them, as a rule. */
const shownLines = 5;
const titleCells = 60;
const lineCells = 120;

/** One text for all of them, each cause a line. Nothing of others acts on whoever shows it. */
export function describeCauses(causes: readonly Cause[]): Words {
  const [only] = causes;
  const lines = causes.slice(0, shownLines).map((cause) => describe(cause, causes.length > 1));
  const more = causes.length - lines.length;
  return {
    title: cut(only && causes.length === 1 ? titleOf(only) : summarise(causes), titleCells),
    body: [...lines, ...(more > 0 ? [`and ${more} more: signalbox attention`] : [])].join('\n'),
  };
}

/** The same in one line, for a terminal. */
export function describeInLine(causes: readonly Cause[]): string {
  const [only] = causes;
  const text = only && causes.length === 1 ? `${titleOf(only)}: ${only.text}` : summarise(causes);
  return cut(text, lineCells);
}

function describe({ agent, text, next }: Cause, isOneOfMany: boolean): string {
  return isOneOfMany
    ? cut(`${agent.name}: ${text}`, lineCells)
    : `${cut(text, lineCells)}\n${next}`;
}

const verbs = {
  question: ['waits for you', 'agents wait for you'],
  failed: ['failed', 'agents failed'],
  unread: ['wrote to you', 'messages for you'],
} as const;

function titleOf({ kind, agent }: Cause): string {
  return `${agent.name} ${verbs[kind][0]}`;
}

function summarise(causes: readonly Cause[]): string {
  const parts = kinds.flatMap((kind) => {
    const some = causes.filter((cause) => cause.kind === kind);
    const [only] = some;
    if (!only) return [];
    return [some.length === 1 ? titleOf(only) : `${some.length} ${verbs[kind][1]}`];
  });
  return parts.join(', ');
}

function cut(text: string, cells: number): string {
  const line = revealLine(text);
  const [first = '', ...more] = wrap(line, cells);
  return more.length === 0 ? first : `${wrap(line, cells - 1)[0] ?? ''}…`;
}
