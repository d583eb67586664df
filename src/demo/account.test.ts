import { expect, test } from 'vitest';
import type { Account } from '../protocol/demo.ts';
import { type AcceptedFact, countAccount, isClean, type ReceivedFact } from './account.ts';

const job = { by: 'lead', id: 'msg_1', to: 'ada', text: 'job 1' };
const done = { by: 'ada', id: 'msg_2', to: 'lead', text: 'done 1' };
const both = [job.id, done.id];

test('a message that its recipient received once is in order', () => {
  const account = count([job, done], [receive(job), receive(done)], both);
  expect(account).toEqual({ accepted: 2, settled: 2, lost: 0, doubled: 0, misplaced: 0 });
  expect(isClean(account)).toBe(true);
});

test('an accepted message that nobody received is lost, whatever the ledger says of it', () => {
  const account = count([job, done], [receive(done)], both);
  expect(account).toEqual({ accepted: 2, settled: 2, lost: 1, doubled: 0, misplaced: 0 });
  expect(isClean(account)).toBe(false);
});

test('a second copy that does not say so is doubled', () => {
  const account = count([job], [receive(job), receive(job)], both);
  expect(account).toMatchObject({ lost: 0, doubled: 1, misplaced: 0 });
  expect(isClean(account)).toBe(false);
});

test('rule 10: a second copy that is marked as a repeat is in order, and so is a third', () => {
  const again = receive(job, { repeat: true });
  expect(isClean(count([job], [receive(job), again, again], both))).toBe(true);
});

test('a first copy that is marked hides no unmarked second one', () => {
  const account = count([job], [receive(job, { repeat: true }), receive(job)], both);
  expect(account).toMatchObject({ doubled: 1 });
});

test('rule 33: one send that became two messages under two ids is doubled', () => {
  const twin = { ...job, id: 'msg_3' };
  const account = count([job, twin], [receive(job), receive(twin)], both);
  expect(account).toMatchObject({ accepted: 2, lost: 0, doubled: 1 });
});

test('a message in the hands of another agent is misplaced, and lost to the one it was for', () => {
  const account = count([job], [receive(job, { by: 'ben' })], both);
  expect(account).toMatchObject({ lost: 1, doubled: 0, misplaced: 1 });
  expect(isClean(account)).toBe(false);
});

test('a message that nobody sent is misplaced', () => {
  expect(count([], [receive(job)], both)).toMatchObject({ accepted: 0, misplaced: 1 });
});

test('a message whose sender was killed before it could say "accepted" is no stranger’s', () => {
  const untold = { sending: [job], accepted: [], settled: new Set<string>() };
  const account = countAccount({ ...untold, received: [receive(job)] });
  expect(account).toMatchObject({ accepted: 0, misplaced: 0 });
  const astray = countAccount({ ...untold, received: [receive(job, { by: 'ben' })] });
  expect(astray).toMatchObject({ misplaced: 1 });
});

test('a send that was told twice, after its first answer was lost, is one message', () => {
  expect(count([job, job], [receive(job)], both)).toMatchObject({ accepted: 1, lost: 0 });
});

test('rule 27: the end of a turn is told no id, and is known by its word alone', () => {
  const { id: _, ...ended } = done;
  const account = count([job, ended], [receive(job), receive(done)], both);
  expect(account).toEqual({ accepted: 2, settled: 2, lost: 0, doubled: 0, misplaced: 0 });
  expect(count([job, ended], [receive(job)], both)).toMatchObject({ accepted: 2, lost: 1 });
  const astray = count([ended], [receive(done, { by: 'ben' })], both);
  expect(astray).toMatchObject({ lost: 1, misplaced: 1 });
  const twice = [receive(done), receive(done, { id: 'msg_9' })];
  expect(count([ended], twice, both)).toMatchObject({ lost: 0, doubled: 1 });
});

test('what no program wrote is nobody’s letter, and is looked at for second copies alone', () => {
  const exited = receive(job, { id: 'msg_7', from: 'ada', by: 'lead', text: '' });
  expect(count([], [exited], [])).toMatchObject({ misplaced: 0, doubled: 0 });
  expect(count([], [exited, exited], [])).toMatchObject({ doubled: 1 });
});

test('what the ledger still holds is not settled', () => {
  const account = count([job, done], [receive(job), receive(done)], [job.id]);
  expect(account).toMatchObject({ accepted: 2, settled: 1, lost: 0 });
  expect(isClean(account)).toBe(false);
});

function count(
  accepted: readonly AcceptedFact[],
  received: readonly ReceivedFact[],
  settled: readonly string[],
): Account {
  return countAccount({ sending: accepted, accepted, received, settled: new Set(settled) });
}

function receive(sent: typeof job, but: Partial<ReceivedFact> = {}): ReceivedFact {
  return { by: sent.to, id: sent.id, from: sent.by, text: sent.text, repeat: false, ...but };
}
