import { createHash } from 'node:crypto';
import type { CliQuestion } from '../../providers/questions.ts';

/** Whose question it is. */
export interface Asker {
  readonly agent: string;
  readonly epoch: number;
}

/**
 * The names of all that one life asks, each short enough to be typed. One is made of all that was
 * shown and of the request itself. So short a hash binds nothing by itself: whoever writes the
 * words tries some 10,000 of them and has two questions with one name. So no name means two: the
 * later question gets a longer one, also when the first is over.
 */
export class QuestionNames {
  readonly #asker: Asker;
  readonly #known = new WeakMap<CliQuestion, string>();
  readonly #given = new Map<string, string>();

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** Asked at every look, and a text may have 64 KB. */
  of(question: CliQuestion): string {
    const known = this.#known.get(question);
    if (known !== undefined) return known;
    const hash = hashQuestion(this.#asker, question);
    const name = this.#pick(hash);
    this.#known.set(question, name);
    // The newest is at the end.
    this.#given.delete(name);
    this.#given.set(name, hash.toString('base64'));
    const [oldest] = this.#given.keys();
    if (this.#given.size > mostGiven && oldest !== undefined) this.#given.delete(oldest);
    return name;
  }

  #pick(hash: Buffer): string {
    const own = hash.toString('base64');
    for (let length = letters; length < hash.length; length++) {
      const name = write(hash, length);
      const other = this.#given.get(name);
      if (other === undefined || other === own) return name;
    }
    return write(hash, hash.length);
  }
}

/** The name of a question that no other had before it. */
export function nameQuestion(asker: Asker, question: CliQuestion): string {
  return write(hashQuestion(asker, question), letters);
}

function hashQuestion({ agent, epoch }: Asker, { key, text }: CliQuestion): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([agent, epoch, key, text]))
    .digest();
}

function write(hash: Buffer, length: number): string {
  const bytes = [...hash.subarray(0, length)];
  return `q${bytes.map((byte) => alphabet.charAt(byte % alphabet.length)).join('')}`;
}

const letters = 6;
/** So many of one life are remembered; each takes some 100 bytes. */
const mostGiven = 10_000;
/** Without those that are mistaken for others when they are read aloud or copied by hand. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz';
