import type { Backend } from '../terminals/backend.ts';

/** What a backend says of itself, also where none is opened. */
export interface TerminalPlace {
  readonly name: string;
  readonly capabilities: Pick<Backend['capabilities'], 'cursor' | 'humanTyping' | 'typing'>;
}

/**
 * Why nothing is ever pasted into terminals of this backend; undefined where something may be. What
 * it cannot show comes first: a newer version that takes typing would change nothing then (herdr
 * 0.6.8).
 */
export function findPenObstacle(
  { name, capabilities }: TerminalPlace,
  version?: string,
): string | undefined {
  const { cursor, humanTyping, typing } = capabilities;
  const nothing = 'so signalbox pastes nothing there';
  if (!cursor && !humanTyping) {
    return `${name} shows neither the cursor nor a person's typing, ${nothing}`;
  }
  if (!cursor) return `${name} does not show the cursor, ${nothing}`;
  if (!humanTyping) return `${name} does not show a person's typing, ${nothing}`;
  if (typing !== 'no') return undefined;
  const which = version === undefined ? '' : `, ${version},`;
  return `this version of ${name}${which} takes no typing, ${nothing}`;
}
