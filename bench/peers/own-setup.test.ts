import { describe, expect, test } from 'vitest';
import { caoPort, findOwnSetup, type Ground } from './own-setup.ts';

describe('the bench of peers refuses to start', () => {
  test('not on ground that holds nothing of the reader’s', async () => {
    expect(await findOwnSetup(ground())).toEqual([]);
  });

  test.each(['CLAUDE.md', 'AGENTS.md', '.claude', '.mcp.json', '.git'])(
    'where %s lies in a folder above its own',
    async (name) => {
      const [why, ...more] = await findOwnSetup(ground({ there: [`/home/ann/${name}`] }));
      expect(why).toContain(`/home/ann/${name}`);
      expect(more).toEqual([]);
    },
  );

  test('where it lies in the folder itself, or at the root', async () => {
    const there = ['/home/ann/tmp/AGENTS.md', '/CLAUDE.md'];
    expect(await findOwnSetup(ground({ there }))).toHaveLength(2);
  });

  test('but not for the same file beside its own folder', async () => {
    expect(await findOwnSetup(ground({ there: ['/home/ann/work/CLAUDE.md'] }))).toEqual([]);
  });

  test.each(['/etc/claude-code', '/etc/codex', '/etc/tmux.conf'])(
    'where the machine has %s, which no HOME hides',
    async (path) => {
      expect(await findOwnSetup(ground({ there: [path] }))).toEqual([
        `the CLIs or tmux would read ${path}`,
      ]);
    },
  );

  test('where a CAO of the reader’s could be asked by mistake', async () => {
    const taken = [caoPort];
    expect(await findOwnSetup(ground({ taken, isClosed: false }))).toHaveLength(1);
    // A network of its own has ports of its own.
    expect(await findOwnSetup(ground({ taken, isClosed: true }))).toEqual([]);
  });
});

function ground(
  given: {
    readonly there?: readonly string[];
    readonly taken?: readonly number[];
    readonly isClosed?: boolean;
  } = {},
): Ground {
  const { there = [], taken = [], isClosed = true } = given;
  return {
    folder: '/home/ann/tmp',
    isClosed,
    exists: (path) => there.includes(path),
    isTaken: async (port) => taken.includes(port),
  };
}
