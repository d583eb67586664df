import { createHash } from 'node:crypto';
import type { CliQuestion } from '../../providers/questions.ts';

/** Whose question it is. */
export interface Asker {
  readonly agent: string;
  readonly epoch: number;
}

/**
 * The name of a question for people, short enough to be typed. It is made of all that was shown and
 * of the request itself: a decision that names it can be about nothing else.
 */
export function nameQuestion({ agent, epoch }: Asker, { key, text }: CliQuestion): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([agent, epoch, key, text]))
    .digest();
  return `q${[...hash.subarray(0, letters)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')}`;
}

const letters = 6;
/** Without those that are mistaken for others when they are read aloud or copied by hand. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz';
