import { expect, test } from 'vitest';
import { nameBranches, nameFolders } from './name-worktree.ts';

const id = 'agt_01k9z3v5a000abcdefghjkmnpq';
const worker = { id, name: 'worker' };

test('a folder is named after the repository and the agent, and ends with the agent’s id', () => {
  expect(nameFolders('/srv/shop', worker)).toEqual([
    'shop-worker-mnpq',
    'shop-worker-01k9z3v5a000abcdefghjkmnpq',
  ]);
  expect(nameFolders('/srv/a repo, "größer" & more', worker)[0]).toBe(
    'a-repo-größer-more-worker-mnpq',
  );
  expect(nameFolders('/srv/bare.git', worker)[0]).toBe('bare-worker-mnpq');
});

test('the longest names leave room for the id in a name of 255 bytes', () => {
  const long = { id, name: 'é'.repeat(64) };
  for (const name of nameFolders(`/srv/${'ü'.repeat(127)}`, long)) {
    expect(Buffer.byteLength(name)).toBeLessThan(255);
    expect(name).toMatch(/mnpq$/);
  }
});

test('a branch is the agent’s name alone, unless another agent has that name', () => {
  expect(nameBranches('signalbox/', worker, false)).toEqual([
    'signalbox/worker',
    'signalbox/worker-mnpq',
    'signalbox/worker-01k9z3v5a000abcdefghjkmnpq',
  ]);
  expect(nameBranches('signalbox-', worker, true)[0]).toBe('signalbox-worker-mnpq');
});

test('names that git refuses are mended', () => {
  const first = (name: string) => nameBranches('signalbox/', { id, name }, false)[0];
  expect(first('a..b.lock')).toBe('signalbox/a-b-lock');
  expect(first('Ümläut.')).toBe('signalbox/Ümläut-');
});
