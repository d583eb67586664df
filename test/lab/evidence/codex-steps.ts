import type { AttemptTrace } from '../../../src/providers/way-in.ts';
import type { CodexLab } from './codex-lab.ts';
import { type CodexLife, until } from './codex-life.ts';

export async function ask(life: CodexLife, text: string): Promise<void> {
  await life.terminal.prompt(text);
}

export function traceOf(mark: string, life: CodexLife): AttemptTrace {
  return {
    mark,
    route: 'native',
    at: Date.now(),
    isSubmitted: false,
    isAlive: true,
    conversation: life.conversation,
  };
}

export async function ends(
  lab: CodexLab,
  life: CodexLife,
  expected: readonly string[],
): Promise<void> {
  const wanted = expected.join(', ');
  await until(`the turn ends ${wanted}`, () => describeEnds(life) === wanted).catch((error) => {
    throw new Error(`${error.message} Told: ${describeEnds(life)}`);
  });
  lab.notes.push(`turn ends: ${wanted}`);
}

export function describeEnds(life: CodexLife): string {
  return life.turnEnds.map(({ outcome, text = '' }) => `${outcome}:${text}`).join(', ');
}
