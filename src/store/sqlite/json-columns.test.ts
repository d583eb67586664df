import { expect, test } from 'vitest';
import { readTerminal } from '../../agents/epoch-terminal.ts';
import { systemHost } from '../../shared/processes.ts';
import { readHold, readRole, readTexts, readWaiter, readWorktree } from './json-columns.ts';

const holder = systemHost.identity;
const role = {
  profile: 'tester',
  profilePath: '/p/tester.md',
  trusted: { path: '/p/tester.md', kind: 'profile', sha256: 'ab' },
  instructions: 'Test.',
  permission: 'edit',
  allowedTools: ['Bash'],
  mcpServers: { a: { command: 'x', args: ['y'], env: { K: 'v' } }, b: { url: 'http://x' } },
  isOverHttp: true,
  hasRemoteApprovals: true,
  launchesIn: '/w',
};
const worktree = { path: '/w', branch: 'b', repository: '/r', base: 'c0ffee' };
const waiter = { id: 'w', holder, sinceMs: 1, leaseMs: 2, takesReports: true };
const hold = { id: 'h', holder, takenAtMs: 1, leaseMs: 2 };
const terminal = { agent: 'agt_1', epoch: 1, server: 's', pane: '%1', pid: 7, startedAt: '9' };

const readers = [
  { read: readTexts, sound: [[], ['msg_1']], bad: [['a', 1], { a: 1 }] },
  {
    read: readRole,
    sound: [{}, role, { later: 1 }],
    bad: [
      [],
      { permission: 'everything' },
      { permission: 1 },
      { allowedTools: 'Bash' },
      { mcpServers: { a: {} } },
      { mcpServers: { a: { command: 'x', args: [1] } } },
      { trusted: 'yes' },
      { isOverHttp: 'yes' },
      { hasRemoteApprovals: 'remote' },
      { launchesIn: null },
    ],
  },
  { read: readWorktree, sound: [worktree], bad: [{}, { ...worktree, base: undefined }] },
  { read: readWaiter, sound: [waiter], bad: [{ ...waiter, holder: {} }, { id: 'w' }] },
  { read: readHold, sound: [hold], bad: [{ ...hold, takenAtMs: '1' }, []] },
  { read: readTerminal, sound: [terminal], bad: [{ ...terminal, pid: '7' }, {}, 'x'] },
] as const;

test.each(readers)('$read.name gives what was written, and nothing for anything else', (reader) => {
  const { read, sound, bad } = reader;
  for (const value of sound) expect(read(JSON.stringify(value))).toEqual(value);
  for (const value of bad) expect(read(JSON.stringify(value))).toBeUndefined();
  for (const text of ['', '{', 'null', '7', '"x"', '\u0000']) expect(read(text)).toBeUndefined();
});
