import type { Sight, Stage } from './scripted-agent-stage.ts';

/** The screens of a scripted agent, as a person would tell them apart. */
export function idle(stage: Stage): Promise<Sight> {
  return stage.waitFor('an empty composer', isIdle);
}

export function ended(stage: Stage): Promise<Sight> {
  return stage.waitFor(
    'the end',
    ({ isDead, exitCode, exitSignal }) => isDead && exitCode + exitSignal !== '',
  );
}

export function submit(stage: Stage, prompt: string): void {
  stage.type(prompt);
  stage.press('Enter');
}

export function isIdle({ rows }: Sight): boolean {
  return rows.at(-1) === ' ? for shortcuts';
}

export function isDrafting({ rows }: Sight): boolean {
  return rows.at(-1) === ' enter to send · ctrl-u to clear';
}

export function isBusy({ rows }: Sight): boolean {
  return rows.at(-1) === ' esc to interrupt';
}

export function composer({ rows, cursor }: Sight): { row: string; cursorX: number } {
  const [x, y] = cursor.split(',').map(Number);
  return { row: rows[y ?? 0] ?? '', cursorX: x ?? 0 };
}

export function rule(columns: number): string {
  return '─'.repeat(columns - 1);
}
