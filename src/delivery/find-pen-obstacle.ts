import type { WaitReason } from '../messages/wait-reason.ts';
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
): WaitReason | undefined {
  const { cursor, humanTyping, typing } = capabilities;
  if (!cursor || !humanTyping) {
    const lacks = cursor ? 'typing' : humanTyping ? 'cursor' : 'both';
    return { code: 'backend-blind', backend: name, lacks };
  }
  return typing === 'no' ? { code: 'backend-mute', backend: name, version } : undefined;
}
