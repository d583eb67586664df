import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { Fault } from '../shared/fault.ts';
import { pickProfile } from './pick.ts';
import { projectFolder } from './places.ts';
import { nameOf, type Profile } from './profile.ts';
import { openProfileShelf } from './shelf.ts';

function openWorld() {
  const home = tempHome();
  const config = join(home, 'config');
  const repository = join(home, 'repository');
  const cwd = join(repository, 'packages', 'api');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(join(repository, '.git'));
  const write = (path: string, text: string): string => {
    const full = join(home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  const opened = openProfileShelf({ config, state: home });
  /** Of the project, else of the user, else built in. */
  const find = async (name: string, from: string): Promise<Profile | undefined> => {
    const all = await opened.list(from);
    const picked = pickProfile(all, name, 'project') ?? pickProfile(all, name);
    if (picked?.found.outcome === 'broken') throw picked.found.trouble;
    return picked?.found.profile;
  };
  return { home, repository, cwd, write, shelf: { ...opened, find } };
}

const say = (name: string, body = 'x'): string => `---\nname: ${name}\n---\n${body}\n`;

test('the built-ins are there, usable and without remarks, and teach the tools by name', async () => {
  const { shelf, cwd } = openWorld();
  const found = await shelf.list(cwd);
  expect(found.map(nameOf)).toEqual(['developer', 'reviewer', 'supervisor']);
  for (const one of found) {
    if (one.outcome === 'broken') throw one.trouble;
    expect(one.profile).toMatchObject({ origin: 'built-in', remarks: [], unknown: {}, env: {} });
    // Rule 39: nobody has asked for a mode by name.
    expect([one.profile.permission, one.profile.permissionMode]).toEqual([undefined, undefined]);
    expect(one.profile.instructions).toContain('send_message');
  }
  const supervisor = await shelf.find('supervisor', cwd);
  for (const tool of ['assign', 'handoff', 'list_agents', 'get_output', 'Do not poll']) {
    expect(supervisor?.instructions).toContain(tool);
  }
});

test('the nearest comes first: project, then .claude/agents, then the user, then built in', async () => {
  const { shelf, cwd, write } = openWorld();
  const find = async () => (await shelf.find('developer', cwd))?.instructions;
  expect(await find()).toMatch(/You are a developer/);
  write('config/profiles/developer.md', say('developer', 'of the user'));
  expect(await find()).toBe('of the user');
  write('repository/.claude/agents/developer.md', say('developer', 'Claude’s, at the root'));
  expect(await find()).toBe('Claude’s, at the root');
  write('repository/packages/api/.claude/agents/dev.md', say('developer', 'Claude’s, here'));
  expect(await find()).toBe('Claude’s, here');
  write('repository/.signalbox/profiles/developer.md', say('developer', 'of the root'));
  expect(await find()).toBe('of the root');
  write('repository/packages/.signalbox/profiles/developer.md', say('developer', 'between'));
  expect(await find()).toBe('between');
  write('repository/packages/api/.signalbox/profiles/developer.md', say('developer', 'here'));
  expect(await find()).toBe('here');
  expect((await shelf.list(cwd)).filter((one) => nameOf(one) === 'developer')).toHaveLength(7);
});

test('nothing above the root of the repository is looked at; outside of one, nothing above here', async () => {
  const { shelf, cwd, home, repository, write } = openWorld();
  write('.signalbox/profiles/above.md', say('above'));
  expect(await shelf.find('above', cwd)).toBeUndefined();
  const outside = join(home, 'elsewhere', 'deep');
  mkdirSync(outside, { recursive: true });
  write('elsewhere/.signalbox/profiles/above.md', say('above'));
  expect(await shelf.find('above', outside)).toBeUndefined();
  expect(projectFolder(outside)).toBe(join(outside, '.signalbox', 'profiles'));
  expect(projectFolder(cwd)).toBe(join(repository, '.signalbox', 'profiles'));
  expect(await shelf.find('developer', '/not/there')).toBeDefined();
});

test('a broken file hides no other, is listed with its trouble, and is not replaced by another of its name', async () => {
  const { shelf, cwd, home, write } = openWorld();
  const at = (name: string) => `repository/.signalbox/profiles/${name}`;
  write(at('broken.md'), 'no front matter');
  write(at('developer.md'), '---js\nprocess.exit(1)\n---\n');
  write(at('huge.md'), `---\nname: huge\n---\n${'x'.repeat(70_000)}`);
  write(at('binary.md'), '');
  writeFileSync(join(home, at('binary.md')), Buffer.from([0xff, 0xfe, 0x00]));
  mkdirSync(join(home, at('folder.md')));
  symlinkSync('/not/there', join(home, at('link.md')));
  execFileSync('mkfifo', [join(home, at('pipe.md'))]);
  write(at('works.md'), say('works'));
  write(at('notes.txt'), say('notes'));
  const found = await shelf.list(cwd);
  const own = found.filter((one) => one.outcome === 'broken').map(nameOf);
  expect(own).toEqual(['binary', 'broken', 'developer', 'folder', 'huge', 'link', 'pipe']);
  expect((await shelf.find('works', cwd))?.name).toBe('works');
  expect((await shelf.find('supervisor', cwd))?.origin).toBe('built-in');
  for (const name of own) await expect(shelf.find(name, cwd)).rejects.toBeInstanceOf(Fault);
});

test('a profile without words of its own takes those of the built-in that its role names', async () => {
  const { shelf, cwd, write } = openWorld();
  write('config/profiles/a.md', '---\nname: codex-dev\nprovider: codex\nrole: developer\n---\n');
  write('config/profiles/b.md', '---\nname: other\nrole: gardener\n---\n');
  expect((await shelf.find('codex-dev', cwd))?.instructions).toMatch(/You are a developer/);
  expect((await shelf.find('other', cwd))?.instructions).toBe('');
});

test('rule 40: one file is read again, as long as it is there, and is whose its folder says', async () => {
  const { shelf, home, write } = openWorld();
  const path = write('config/profiles/a.md', '---\nenv: { A: 1 }\n---\n');
  expect(await shelf.read(path)).toMatchObject({ origin: 'user', env: { A: '1' } });
  expect(await shelf.read(path)).not.toHaveProperty('source');
  expect(await shelf.read(join(home, 'gone.md'))).toBeUndefined();
  write('config/profiles/a.md', 'broken');
  await expect(shelf.read(path)).rejects.toBeInstanceOf(Fault);
  const others = {
    '.signalbox/profiles': 'project',
    '.claude/agents': 'claude-agents',
    x: 'project',
  };
  for (const [folder, origin] of Object.entries(others)) {
    const other = write(`repository/${folder}/a.md`, '---\nname: a\n---\n');
    expect(await shelf.read(other)).toMatchObject({ origin, source: { path: other } });
  }
});

test('rule 46: a name that the project and somebody else have picks neither without an owner', async () => {
  const { shelf, cwd, write } = openWorld();
  const pick = async (owner?: 'project' | 'user' | 'built-in') =>
    pickProfile(await shelf.list(cwd), 'reviewer', owner);
  expect((await pick())?.rival).toBeUndefined();
  write('repository/.claude/agents/reviewer.md', say('reviewer', 'Claude’s'));
  expect((await pick())?.rival).toMatchObject({ profile: { origin: 'claude-agents' } });
  expect((await pick())?.found).toMatchObject({ profile: { origin: 'built-in' } });
  expect((await pick('project'))?.found).toMatchObject({ profile: { origin: 'claude-agents' } });
  expect(await pick('user')).toBeUndefined();
  write('config/profiles/reviewer.md', say('reviewer', 'mine'));
  expect((await pick())?.found).toMatchObject({ profile: { origin: 'user' } });
  // One that is broken takes no name either.
  write('repository/.signalbox/profiles/reviewer.md', 'broken');
  expect((await pick())?.rival).toMatchObject({ outcome: 'broken' });
  expect((await pick('built-in'))?.found).toMatchObject({ profile: { origin: 'built-in' } });
});

test('rule 46: a project’s name that only looks like a built-in’s has taken that name, too', async () => {
  const { shelf, cwd, write } = openWorld();
  const like = 'rеviewer'; // Cyrillic е
  write(`repository/.signalbox/profiles/${like}.md`, say(like, 'the project’s'));
  const all = await shelf.list(cwd);
  expect(pickProfile(all, 'reviewer')?.rival).toBeUndefined();
  const picked = pickProfile(all, like);
  expect(picked?.rival).toMatchObject({ profile: { name: like, origin: 'project' } });
  expect(picked?.found).toMatchObject({ profile: { name: 'reviewer', origin: 'built-in' } });
  expect(pickProfile(all, like, 'project')?.rival).toBeUndefined();
});
