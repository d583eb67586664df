import { expect, test } from 'vitest';
import { parseProfile } from '../profiles/parse-profile.ts';
import { admitProfile } from './admit-profile.ts';

const trusting = { judge: () => ({ outcome: 'trusted', path: '' }) as const };
const source = {
  ...({ kind: 'profile', path: '/repo/a.md', realPath: '/repo/a.md', sha256: 'x' } as const),
  bytes: Buffer.alloc(0),
};

test('rule 46: what a project sets for the agent and its servers is parted by name, odd names included', async () => {
  const text = `---
env: { PORT: 3000, PATH: ./bin, "PATH=./bin:": x, "A B": x, bash_env: ./x }
mcpServers:
  plain: { command: x }
  far: { url: "https://x.example/mcp", headers: { A: b } }
  sly: { command: npx, env: { LIMIT: 5, NODE_OPTIONS: "-r ./x", "PATH=./bin:": x } }
---
x`;
  const profile = await parseProfile(text, { path: '/repo/a.md', origin: 'project' });
  const admitted = admitProfile(trusting, { ...profile, source });
  expect(admitted.profile).toMatchObject({ env: { PORT: '3000' } });
  expect(admitted.profile.mcpServers).toEqual({
    plain: { command: 'x' },
    far: { url: 'https://x.example/mcp', headers: { A: 'b' } },
    sly: { command: 'npx', env: { LIMIT: '5' } },
  });
  expect(admitted.remarks).toEqual([
    'PATH, PATH=./bin:, A B, bash_env, mcpServers.sly.NODE_OPTIONS, mcpServers.sly.PATH=./bin: of /repo/a.md left out: a project never decides what is executed',
  ]);
  // What is the user's own is nobody else's business.
  const own = { ...profile, origin: 'user' } as const;
  expect(admitProfile({ judge: () => ({ outcome: 'new' }) }, own)).toEqual({
    profile: own,
    remarks: [],
  });
});

test('rule 46: a file of a working folder is refused, whatever it says, until it is trusted', async () => {
  const profile = await parseProfile('---\nname: a\n---\nx', {
    path: '/repo/a.md',
    origin: 'project',
  });
  const judge = () => ({ outcome: 'new' }) as const;
  expect(() => admitProfile({ judge }, { ...profile, source })).toThrow(
    expect.objectContaining({
      code: 'not-trusted',
      next: expect.stringContaining('`signalbox trust /repo/a.md`'),
    }),
  );
});
