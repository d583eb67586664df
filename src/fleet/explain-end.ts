import type { Agent } from '../agents/agent.ts';
import type { EpochEnd } from '../agents/epoch-store.ts';
import { callName } from '../agents/reference.ts';
import { Fault } from '../shared/fault.ts';
import { tellLastWords } from '../shared/last-words.ts';
import { describeEnd } from './end-life.ts';
import type { FleetParts } from './parts.ts';
import { readSnapshot } from './snapshot.ts';

/** Why a life did not get beyond its start: in the CLI's own words, and what a person can do. */
export async function explainEnd(
  parts: FleetParts,
  agent: Agent,
  end: EpochEnd,
  life: { readonly startedAt: number; readonly resumed: string | undefined },
): Promise<Fault> {
  const name = callName(agent);
  if (!['exit', 'terminal-gone', 'launch-failed'].includes(end.cause)) {
    const what = `"${name}" was ${end.cause} while it started.`;
    return new Fault('wrong-state', what, 'See `signalbox ls`.');
  }
  const said = tellLastWords(await readSnapshot(parts, agent.id, life.startedAt));
  const goal = life.resumed === undefined ? 'it started' : 'it resumed its conversation';
  const next =
    life.resumed === undefined
      ? `See \`signalbox output ${name}\`; \`signalbox restart ${name}\` tries again.`
      : `\`signalbox restart ${name} --fresh\` begins a new conversation; its messages wait.`;
  return new Fault(
    'launch-failed',
    `"${name}" ended before ${goal}: ${describeEnd(end)}. ${said}`,
    next,
  );
}
