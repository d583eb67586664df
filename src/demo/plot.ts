/**
 * Who plays in the demo, and what each is to do. Everything but the words and the moments is
 * written here: the same tasks go to the same agents in every run.
 */
export const user = 'user';
export const supervisor = 'supervisor';

export interface Part {
  readonly worker: string;
  readonly title: string;
}

/** What the user wants, */
export const order = 'ship version 1.0';
/** what the supervisor assigns at once, */
export const parts: readonly Part[] = [
  { worker: 'worker-1', title: 'write the parser' },
  { worker: 'worker-2', title: 'test the parser' },
  { worker: 'worker-3', title: 'write the manual' },
];
/** and what it hands off when it has these. */
export const review: Part = { worker: 'worker-1', title: 'review all of it' };

/** It is killed at work; the supervisor is told, and gives its part to another. */
export const victim = 'worker-2';
export const standIn = 'worker-4';

/** These answer by `send_message`; the others end their turn with the answer. */
export const writers: readonly string[] = ['worker-3'];
/** What a worker tells another while it works. */
export const aside = { from: 'worker-3', to: 'worker-1', text: 'the manual lists every option' };

export const team: readonly string[] = [supervisor, ...parts.map(({ worker }) => worker), standIn];

/** Where a program waits for the demo: the nth task of an agent, as it works on it. */
export function placeOf(n: number): string {
  return `task ${n}`;
}
