/**
 * Who plays in the demo, and what each does with a message. Everything follows from the message in hand: a program that
 * was killed and gets it again writes the same answers to the same agents, and the text of each is its idempotency key.
 */
export const lead = 'lead';
const children = ['ada', 'ben', 'cleo'] as const;
export const team: readonly string[] = [lead, ...children];

export interface Letter {
  readonly to: string;
  /** Unique among all that one sender writes: it is the key as well. */
  readonly text: string;
}

export function writeJob(n: number): Letter {
  return { to: at(n), text: `job ${n}` };
}

/** A job is done and reported; for every second one a peer is asked, who tells. Nothing answers `done` and `tell`. */
export function answer(self: string, from: string, text: string): readonly Letter[] {
  const [word, number] = text.split(' ');
  const n = Number(number);
  if (word === 'ask') return [{ to: from, text: `tell ${n}` }];
  if (word !== 'job') return [];
  const done = { to: from, text: `done ${n}` };
  return n % 2 === 0 ? [{ to: peerOf(self, n), text: `ask ${n}` }, done] : [done];
}

function peerOf(self: string, n: number): string {
  const others = children.filter((name) => name !== self);
  return others[(n / 2) % others.length] ?? self;
}

function at(n: number): string {
  return children[n % children.length] ?? lead;
}
