import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookCommand, launchRequest } from '../../../test/support/launch-request.ts';
import type { LaunchRequest } from '../launch-plan.ts';
import { hookEvents } from './hook-home.ts';
import { planLaunch } from './launch.ts';

const old = 'a1b2c3d4-1111-4222-8333-444455556666';
const fresh = 'f0000000-1111-4222-8333-444455556666';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-gemini-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('before it was ever used, a launch says nothing but which conversation, and passes no bypass flag (rule 39)', () => {
  expect(planLaunch(request({}))).toEqual({
    argv: ['/bin/gemini', '--session-id', fresh],
    env: {},
    files: [],
    helpers: [],
    conversation: fresh,
  });
});

test('our hooks stand beside the user’s, in a home of this run that leads to his (rule 39)', () => {
  mkdirSync(join(home, '.gemini/tmp'), { recursive: true });
  const own = { hooks: [{ type: 'command', command: 'his' }] };
  const settings = { ui: { theme: 'x' }, hooks: { AfterAgent: [own], AfterTool: [own] } };
  settle(`// A comment "with quotes"\n${JSON.stringify(settings)}\n/* http://x */`);
  const plan = planLaunch(request({}));
  expect(plan.argv).toEqual(['/bin/gemini', '--session-id', fresh]);
  expect(plan.env).toEqual({
    GEMINI_CLI_HOME: '/run/agt_1-1/home',
    GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(home, '.gemini/trustedFolders.json'),
  });
  expect(plan.overlays).toEqual([
    { from: home, to: 'home', only: ['.agents', '.env'] },
    { from: join(home, '.gemini'), to: 'home/.gemini', except: ['settings.json'] },
  ]);
  expect(plan.files.map(({ path }) => path)).toEqual(['home/.gemini/settings.json']);
  const merged = JSON.parse(plan.files[0]?.text ?? '');
  expect(merged).toMatchObject({ ui: { theme: 'x' }, hooks: { AfterTool: [own] } });
  expect(Object.keys(merged.hooks).toSorted()).toEqual([...hookEvents, 'AfterTool'].toSorted());
  expect(merged.hooks.AfterAgent[0]).toEqual(own);
  // Not those of a Gemini that the model starts (rule 38).
  expect(merged.hooks.AfterAgent[1].hooks[0].command).toBe(
    hookCommand('AfterAgent', { unlessSet: 'GEMINI_CLI' }),
  );
});

test('a run of ours deletes no conversation of its folder; the user’s settings stay as they are', () => {
  mkdirSync(join(home, '.gemini/tmp'), { recursive: true });
  const theirs = { general: { vimMode: true, sessionRetention: { enabled: true, maxAge: '7d' } } };
  settle(JSON.stringify(theirs));
  const merged = JSON.parse(planLaunch(request({})).files[0]?.text ?? '');
  expect(merged.general).toEqual({
    vimMode: true,
    sessionRetention: { enabled: false, maxAge: '7d' },
  });
  expect(JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'))).toEqual(theirs);
});

test('where a home of this run would break something there is none', () => {
  mkdirSync(join(home, '.gemini/tmp'), { recursive: true });
  expect(planLaunch(request({})).overlays).toHaveLength(2);
  expect(planLaunch(request({ cwd: home })).overlays).toBeUndefined();
  settle('{"half');
  expect(planLaunch(request({})).overlays).toBeUndefined();
});

test('a folder that the user keeps elsewhere is where the links lead', () => {
  mkdirSync(join(home, 'own/.gemini/tmp'), { recursive: true });
  const env = {
    HOME: home,
    GEMINI_CLI_HOME: join(home, 'own'),
    GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/srv/trust.json',
  };
  const plan = planLaunch(request({ env }));
  expect(plan.overlays?.[1]?.from).toBe(join(home, 'own/.gemini'));
  expect(plan.env['GEMINI_CLI_TRUSTED_FOLDERS_PATH']).toBe('/srv/trust.json');
});

test('model and a person’s own arguments follow; what a person says about either wins', () => {
  const argv = (wish: Partial<LaunchRequest>): readonly string[] => planLaunch(request(wish)).argv;
  expect(argv({ model: 'm', extraArgs: ['--yolo'] }).slice(3)).toEqual(['--model=m', '--yolo']);
  expect(argv({ model: 'm', extraArgs: ['-m', 'n'] }).slice(3)).toEqual(['-m', 'n']);
  const chosen = planLaunch(request({ extraArgs: ['--session-id', old] }));
  expect(chosen.argv).toEqual(['/bin/gemini', '--session-id', old]);
  expect(chosen.conversation).toBe(old);
  expect(planLaunch(request({ extraArgs: ['--resume=latest'] })).conversation).toBeUndefined();
});

test('a restart resumes the conversation, whatever was chosen the first time (rule 37)', () => {
  const again = request({ epoch: 2, resume: old, extraArgs: ['--session-id', 'x', '--yolo'] });
  expect(planLaunch(again)).toMatchObject({
    argv: ['/bin/gemini', `--resume=${old}`, '--yolo'],
    conversation: old,
  });
});

function settle(text: string): void {
  writeFileSync(join(home, '.gemini/settings.json'), text);
}

function request(wish: Partial<LaunchRequest>): LaunchRequest {
  return launchRequest({
    executablePath: '/bin/gemini',
    env: { HOME: home },
    newConversation: fresh,
    ...wish,
  });
}
