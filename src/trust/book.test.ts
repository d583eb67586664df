import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { openTrustBook } from './book.ts';
import { requireTrusted } from './require-trusted.ts';
import { readWorkingFile, type WorkingFileKind } from './working-file.ts';

const how = { trustedAt: '2026-01-02T03:04:05.000Z', by: 'me at /dev/pts/1' };

function openWorld() {
  const home = realpathSync(tempHome());
  const state = join(home, 'state');
  const write = (path: string, text: string): string => {
    const full = join(home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  const read = (path: string, kind: WorkingFileKind = 'profile') =>
    readWorkingFile(path, kind, 1000);
  return { home, state, write, read, book: openTrustBook({ config: state, state }) };
}

test('rule 46: trusted are these bytes, under this real path, as this kind of file; nothing else', () => {
  const { home, write, read, book, state } = openWorld();
  const path = write('repo/a.md', 'one');
  expect(book.judge(read(path))).toEqual({ outcome: 'new' });
  book.trust(read(path), how);
  expect(book.judge(read(path))).toEqual({ outcome: 'trusted', path });
  expect(book.judge(read(path, 'claude-agent'))).toEqual({ outcome: 'new' });
  expect(book.judge(read(write('repo/b.md', 'one')))).toEqual({ outcome: 'new' });
  // By whichever way one comes to it.
  symlinkSync(path, join(home, 'link.md'));
  expect(book.judge(read(join(home, 'link.md')))).toEqual({ outcome: 'trusted', path });
  write('repo/a.md', 'two');
  expect(book.judge(read(path))).toMatchObject({ outcome: 'changed', record: { text: 'one' } });
  // What was trusted before is not trusted beside what is trusted now.
  book.trust(read(path), how);
  write('repo/a.md', 'one');
  expect(book.judge(read(path)).outcome).toBe('changed');
  expect(openTrustBook({ config: state, state }).list().records).toHaveLength(1);
});

test('a swap between reading and use changes nothing: bytes and hash are of one reading', () => {
  const { write, read, book } = openWorld();
  const path = write('repo/a.md', 'one');
  book.trust(read(path), how);
  const file = read(path);
  write('repo/a.md', 'two');
  requireTrusted(book, file);
  expect(file.bytes.toString()).toBe('one');
  expect(() => requireTrusted(book, read(path))).toThrow(/has changed since/);
});

test('a damaged record counts for nothing, is told, and hides no other', () => {
  const { write, read, book, state } = openWorld();
  const [one, two] = [read(write('repo/a.md', 'one')), read(write('repo/b.md', 'two'))];
  book.trust(one, how);
  const [name = ''] = readdirSync(join(state, 'trust'));
  book.trust(two, how);
  for (const text of ['', '{', '[]', '{"path":1}', '\0']) {
    writeFileSync(join(state, 'trust', name), text);
    expect(book.judge(one).outcome, text).toBe('damaged');
    expect(book.judge(two).outcome).toBe('trusted');
    expect(book.list()).toMatchObject({ records: [{ path: two.realPath }], damaged: [/./] });
  }
  expect(() => requireTrusted(book, one)).toThrow(/is damaged/);
  book.trust(one, how);
  expect(book.judge(one).outcome).toBe('trusted');
  chmodSync(join(state, 'trust', name), 0o620);
  expect(book.judge(one)).toMatchObject({ outcome: 'damaged', why: 'others may have written it' });
  book.revoke({ kind: 'profile', path: one.realPath });
  expect(book.judge(one).outcome).toBe('new');
});

test('in a worktree of ours a file counts as the repository’s own, as long as it is the same byte for byte', () => {
  const { home, write, read, book } = openWorld();
  const original = write('repo/.signalbox/profiles/a.md', 'one');
  book.trust(read(original), how);
  const link = (path: string) => write(path, `gitdir: ${home}/repo/.git/worktrees/repo-w\n`);
  link('state/worktrees/repo-w/.git');
  write('repo/.git/worktrees/repo-w/gitdir', `${home}/state/worktrees/repo-w/.git\n`);
  const copy = write('state/worktrees/repo-w/.signalbox/profiles/a.md', 'one');
  expect(book.judge(read(copy)).outcome).toBe('trusted');
  write('state/worktrees/repo-w/.signalbox/profiles/a.md', 'two');
  expect(book.judge(read(copy)).outcome).toBe('new');
  const other = write('state/worktrees/repo-w/.signalbox/profiles/b.md', 'one');
  expect(book.judge(read(other)).outcome).toBe('new');
  // Elsewhere anybody could write such a file.
  link('elsewhere/.git');
  expect(book.judge(read(write('elsewhere/.signalbox/profiles/a.md', 'one'))).outcome).toBe('new');
});

test('rule 46: a worktree cannot choose whose trust counts for it: the repository must name it, too', () => {
  const { home, write, read, book } = openWorld();
  book.trust(read(write('other/.signalbox/profiles/a.md', 'one')), how);
  const own = write('state/worktrees/repo-w/.signalbox/profiles/a.md', 'one');
  const backs = ['', `${home}/state/worktrees/another/.git`, `${home}/elsewhere/.git`, '/', '.'];
  for (const name of ['none', ...backs.map((_, at) => `wt-${at}`)]) {
    write('state/worktrees/repo-w/.git', `gitdir: ${home}/other/.git/worktrees/${name}\n`);
    const back = backs[Number(name.slice(3))];
    if (name !== 'none') write(`other/.git/worktrees/${name}/gitdir`, `${back}\n`);
    expect(book.judge(read(own)).outcome, name).toBe('new');
  }
  // As git writes both with worktree.useRelativePaths (2.48).
  write('state/worktrees/repo-w/.git', 'gitdir: ../../../other/.git/worktrees/repo-w\n');
  write('other/.git/worktrees/repo-w/gitdir', '../../../../state/worktrees/repo-w/.git\n');
  expect(book.judge(read(own)).outcome).toBe('trusted');
});
