import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { openProfileShelf } from '../profiles/shelf.ts';
import { openProviderShelf } from '../providers/registry.ts';
import { openTrustBook } from '../trust/book.ts';
import { requireLaunchTarget, resolveLaunchTarget } from './launch-target.ts';

function openWorld(files: Readonly<Record<string, string>> = {}, config?: string) {
  const cwd = tempHome();
  const folders = { config: cwd, state: cwd };
  mkdirSync(join(cwd, 'profiles'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(cwd, 'profiles', `${name}.md`), text);
  }
  if (config !== undefined) writeFileSync(join(cwd, 'config.yaml'), config);
  const parts = {
    providers: openProviderShelf(folders),
    profiles: openProfileShelf(folders),
    trust: openTrustBook(folders),
    defaultProvider: async () => 'codex',
  };
  return {
    cwd,
    resolve: (name: string) => resolveLaunchTarget(parts, { name, cwd }),
    insist: (name: string) => requireLaunchTarget(parts, { name, cwd }),
  };
}

test('a provider wins over a profile of its name, also by its short name; `profile:` asks for the profile', async () => {
  const { resolve } = openWorld({
    codex: '---\nname: codex\nprovider: gemini\n---\nx',
    claude: '---\nname: claude\n---\nx',
  });
  expect(await resolve('codex')).toEqual({ provider: 'codex', role: {} });
  expect(await resolve('claude')).toEqual({ provider: 'claude', role: {} });
  expect(await resolve('profile:codex')).toMatchObject({
    provider: 'gemini',
    role: { profile: 'codex' },
  });
  expect(await resolve('provider:codex')).toEqual({ provider: 'codex', role: {} });
  expect(await resolve('provider:profile')).toBeUndefined();
});

test('a profile gives all of a launch; its variables stay out of the role that is kept (rule 40)', async () => {
  const { cwd, resolve } = openWorld({
    tester: `---
provider: claude_code
model: opus
permissionMode: plan
allowedTools: [Read]
mcpServers: { s: { command: x } }
env: { TOKEN: secret }
worktree: true
notify: false
toolsOver: http
approvals: remote
---
Test.`,
  });
  expect(await resolve('tester')).toEqual({
    provider: 'claude-code',
    model: 'opus',
    env: { TOKEN: 'secret' },
    worktree: true,
    notify: false,
    role: {
      profile: 'tester',
      profilePath: join(cwd, 'profiles', 'tester.md'),
      instructions: 'Test.',
      permissionMode: 'plan',
      allowedTools: ['Read'],
      mcpServers: { s: { command: 'x' } },
      isOverHttp: true,
      hasRemoteApprovals: true,
    },
  });
});

test('a profile without a provider takes the default; a built-in is a profile like any other', async () => {
  const { resolve } = openWorld();
  const target = await resolve('developer');
  expect(target).toMatchObject({ provider: 'codex', role: { profile: 'developer' } });
  expect(target?.role).not.toHaveProperty('permission');
});

test('what is neither is undefined, or a fault that lists both', async () => {
  const { resolve, insist } = openWorld();
  expect(await resolve('nobody')).toBeUndefined();
  await expect(insist('develper')).rejects.toMatchObject({
    code: 'provider-not-found',
    next: expect.stringMatching(/Did you mean "developer"\? .*claude-code.*profiles are developer/),
  });
  await expect(resolve('profile:nobody')).rejects.toMatchObject({ code: 'profile-not-found' });
});

test('a profile for a CLI that we do not know, or a broken one, says so by its name', async () => {
  const { resolve } = openWorld({
    kiro: '---\nname: kiro\nprovider: kiro_cli\n---\nx',
    broken: 'x',
  });
  await expect(resolve('kiro')).rejects.toMatchObject({
    code: 'provider-not-found',
    message: 'The profile "kiro": There is no provider "kiro-cli".',
  });
  await expect(resolve('broken')).rejects.toMatchObject({ code: 'config-invalid' });
});

test('a broken description of a provider stops no profile', async () => {
  const { resolve, insist } = openWorld({}, 'providers: { own: { command: [] } }');
  expect(await resolve('developer')).toMatchObject({ provider: 'codex' });
  await expect(insist('own')).rejects.toMatchObject({ code: 'config-invalid' });
});
