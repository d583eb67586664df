/**
 * Who plays in the demo, and what each does with a message. Everything follows from the message in hand: a program that
 * was killed and gets it again writes the same answers to the same agents, and the text of each is its idempotency key.
 */
export const lead = 'lead';
export const workers = ['worker-1', 'worker-2', 'worker-3'] as const;
export const team: readonly string[] = [lead, ...workers];

export interface Letter {
  readonly to: string;
  /** Unique among all that one sender writes: it is the key as well. */
  readonly text: string;
}

/** What the lead has done, over and over. One of them needs a person's permission. */
const titles = [
  'write the parser',
  'install the tools',
  'test the parser',
  'read the old code',
  'name the tables',
  'draw the plan',
  'time the queries',
  'write the manual',
  'mend the build',
  'sort the errors',
  'count the locks',
  'trim the logs',
  'check the dates',
  'split the schema',
  'fill the gaps',
  'close the files',
] as const;
const asked: ReadonlyMap<string, string> = new Map([['install the tools', 'make install']]);

export function writeTask(n: number): Letter {
  return { to: recipientOf(n), text: `task ${n}: ${titleOf(n)}` };
}

/** The command for which a person must be asked before the work on this message can go on. */
export function commandIn(text: string): string | undefined {
  const { word, n } = parse(text);
  return word === 'task' ? asked.get(titleOf(n)) : undefined;
}

/**
 * A task is done, or refused by the person, and reported; for every third one a peer is asked first, who tells. Nothing
 * answers the rest.
 */
export function answer(
  self: string,
  from: string,
  text: string,
  isRefused: boolean,
): readonly Letter[] {
  const { word, n } = parse(text);
  if (word === 'ask') return [{ to: from, text: `tell ${n}: ${titleOf(n)}` }];
  if (word !== 'task') return [];
  const done = { to: from, text: `${isRefused ? 'refused' : 'done'} ${n}: ${titleOf(n)}` };
  return n % 3 === 0 ? [{ to: peerOf(self, n), text: `ask ${n}: ${titleOf(n)}` }, done] : [done];
}

/** The number of the task that this message sends out, or answers. */
export function taskSent(text: string): number | undefined {
  const { word, n } = parse(text);
  return word === 'task' ? n : undefined;
}

export function taskAnswered(text: string): number | undefined {
  const { word, n } = parse(text);
  return word === 'done' || word === 'refused' ? n : undefined;
}

function parse(text: string): { word: string; n: number } {
  const [, word = '', n = '0'] = /^(\w+) (\d+):/.exec(text) ?? [];
  return { word, n: Number(n) };
}

function titleOf(n: number): string {
  return titles[(n - 1) % titles.length] ?? '';
}

export function recipientOf(n: number): string {
  return workers[(n - 1) % workers.length] ?? lead;
}

function peerOf(self: string, n: number): string {
  const others = workers.filter((name) => name !== self);
  return others[(n / 3) % others.length] ?? self;
}
