import type { Agent } from '../agents/agent.ts';
import type { EpochEnd } from '../agents/epoch-store.ts';
import { Fault } from '../shared/fault.ts';
import { describeEnd } from './end-life.ts';
import type { FleetParts } from './parts.ts';
import { readSnapshot } from './snapshot.ts';

/** Of what it wrote last; a refusal is said in a line or two. */
const mostLines = 4;
const mostCharacters = 400;

/** Why a life did not get beyond its start: in the CLI's own words, and what a person can do. */
export async function explainEnd(
  parts: FleetParts,
  { id, name }: Agent,
  end: EpochEnd,
  life: { readonly startedAt: number; readonly resumed: string | undefined },
): Promise<Fault> {
  if (!['exit', 'terminal-gone', 'launch-failed'].includes(end.cause)) {
    const what = `"${name}" was ${end.cause} while it started.`;
    return new Fault('wrong-state', what, 'See `signalbox ls`.');
  }
  const words = lastWords(await readSnapshot(parts, id, life.startedAt));
  const said = words === '' ? 'It said nothing.' : `It said: ${words}`;
  const goal = life.resumed === undefined ? 'it started' : 'it resumed its conversation';
  const next =
    life.resumed === undefined
      ? `See \`signalbox output ${name}\`.`
      : `\`signalbox restart ${name} --fresh\` begins a new conversation; its messages wait.`;
  return new Fault(
    'launch-failed',
    `"${name}" ended before ${goal}: ${describeEnd(end)}. ${said}`,
    next,
  );
}

/**
 * The end of a screen on one line, with nothing in it that acts on the terminal of whoever reads
 * it.
 */
export function lastWords(screen: string | undefined): string {
  const lines = (screen ?? '')
    .split('\n')
    .map((line) => line.replaceAll(unseen, ' ').trim())
    .filter((line) => line !== '');
  const characters = [...lines.slice(-mostLines).join(' · ')];
  return characters.slice(0, mostCharacters).join('');
}

/** Control characters, and those that change how what follows is shown. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
