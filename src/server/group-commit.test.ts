import { expect, test } from 'vitest';
import type { Accepted } from '../delivery/accept.ts';
import type { MessageDraft } from '../messages/message.ts';
import { toNewMessage } from '../messages/message-store.ts';
import { Fault } from '../shared/fault.ts';
import { GroupCommit } from './group-commit.ts';

const draft = (body: string): MessageDraft => ({ kind: 'message', from: 'a', to: 'b', body });

/** Commits as it is told, and remembers the batches. */
class Commits {
  readonly batches: string[][] = [];
  gate: Promise<void> = Promise.resolve();
  fail: (bodies: readonly string[]) => Error | undefined = () => undefined;

  readonly commit = async (drafts: readonly MessageDraft[]): Promise<readonly Accepted[]> => {
    const bodies = drafts.map(({ body }) => body);
    this.batches.push(bodies);
    await this.gate;
    const error = this.fail(bodies);
    if (error) throw error;
    return drafts.map((one) => {
      const row = { ...one, id: one.body, state: 'queued', createdAt: 0, cause: '' } as const;
      return { outcome: 'accepted', message: toNewMessage(row, 1) };
    });
  };
}

const ids = (results: readonly Accepted[]): readonly string[] =>
  results.map((result) => ('message' in result ? result.message.id : result.outcome));

test('while one commit is under way the next drafts gather, and share the next', async () => {
  const commits = new Commits();
  let open = (): void => undefined;
  commits.gate = new Promise((resolve) => {
    open = resolve;
  });
  const group = new GroupCommit(commits.commit);
  const first = group.submit(draft('first'));
  while (commits.batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const rest = Array.from({ length: 20 }, (_, i) => group.submit(draft(`${i}`)));
  open();
  expect(ids(await Promise.all([first, ...rest]))).toEqual([
    'first',
    ...rest.map((_, i) => `${i}`),
  ]);
  expect(commits.batches.map(({ length }) => length)).toEqual([1, 20]);
});

test('a batch is bounded by count and by bytes, and holds at least one', async () => {
  const commits = new Commits();
  const group = new GroupCommit(commits.commit, { drafts: 3, bytes: 10 });
  const bodies = ['a', 'b', 'c', 'd', 'x'.repeat(30), 'e', 'y'.repeat(9), 'zz'];
  await Promise.all(bodies.map((body) => group.submit(draft(body))));
  expect(commits.batches).toEqual([
    ['a', 'b', 'c'],
    ['d'],
    ['x'.repeat(30)],
    ['e', 'y'.repeat(9)],
    ['zz'],
  ]);
});

test('one draft that cannot be committed fails alone', async () => {
  const commits = new Commits();
  commits.fail = (bodies) => (bodies.includes('bad') ? new Error('no') : undefined);
  const group = new GroupCommit(commits.commit);
  const sent = ['a', 'bad', 'b'].map((body) => group.submit(draft(body)));
  const ends = await Promise.allSettled(sent);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a ledger that takes nothing is asked once, and everybody is told; the next are tried anew', async () => {
  const commits = new Commits();
  const full = new Fault('ledger-busy', 'Full.', 'Wait.');
  commits.fail = () => full;
  const group = new GroupCommit(commits.commit);
  const ends = await Promise.allSettled(['a', 'b'].map((body) => group.submit(draft(body))));
  expect(ends).toEqual([
    { status: 'rejected', reason: full },
    { status: 'rejected', reason: full },
  ]);
  expect(commits.batches).toHaveLength(1);
  commits.fail = () => undefined;
  expect(ids([await group.submit(draft('c'))])).toEqual(['c']);
});
