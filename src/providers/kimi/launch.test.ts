import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookCommand, launchRequest } from '../../../test/support/launch-request.ts';
import { hookEvents } from './hook-home.ts';
import { planLaunch } from './launch.ts';

let home: string;
const request = launchRequest({
  executablePath: '/bin/kimi',
  env: { KIMI_CODE_HOME: '/nowhere' },
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-kimi-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('our hooks stand at the end of a copy of the user’s configuration, in a home that leads to his (rule 39)', () => {
  const own = '# Mine.\ndefault_model = "k2"\n\n[[hooks]]\nevent = "Stop"\ncommand = "his"\n';
  use(own);
  const plan = planLaunch({ ...request, env: { KIMI_CODE_HOME: home } });
  expect(plan.env).toEqual({ KIMI_CODE_HOME: '/run/agt_1-1/kimi' });
  expect(plan.overlays).toEqual([{ from: home, to: 'kimi', except: ['config.toml'] }]);
  const [config] = plan.files;
  expect(config?.path).toBe('kimi/config.toml');
  expect(config?.text.startsWith(own)).toBe(true);
  const ours = config?.text.slice(own.length) ?? '';
  expect([...ours.matchAll(/^event = "(\w+)"$/gm)].map(([, event]) => event)).toEqual([
    ...hookEvents,
  ]);
  // Not those of a Kimi that the model starts (rule 38).
  const nested = { unlessSet: 'GIT_TERMINAL_PROMPT' };
  expect(ours).toContain(write(hookCommand('UserPromptSubmit', nested)));
  expect(ours).toContain(write(hookCommand('Stop', { ...nested, saysBy: 'code' })));
  const env = { KIMI_CODE_HOME: home, GIT_TERMINAL_PROMPT: '0' };
  const { text = '' } = planLaunch({ ...request, env }).files[0] ?? {};
  expect(text).toContain(write(hookCommand('Stop', { saysBy: 'code' })));
  expect(text).not.toContain('$GIT_TERMINAL_PROMPT');
});

function write(command: string): string {
  return `command = ${JSON.stringify(command)}\n`;
}

test('a configuration to which no hooks can be added is left alone, and so is one that was never used', () => {
  const plan = () => planLaunch({ ...request, env: { KIMI_CODE_HOME: home } });
  expect(plan()).toEqual({ argv: ['/bin/kimi'], env: {}, files: [], helpers: [] });
  for (const own of ['hooks = []\n', '[hooks]\na = 1\n', ' "hooks" = []\n', 'hooks.a = 1\n']) {
    use(own);
    expect(plan().overlays).toBeUndefined();
  }
  use('[other]\nmy_hooks = 1\n');
  expect(plan().overlays).toHaveLength(1);
});

test('it is started as a person would, and nothing else (rule 39)', () => {
  expect(planLaunch(request)).toEqual({ argv: ['/bin/kimi'], env: {}, files: [], helpers: [] });
  expect(planLaunch({ ...request, model: 'k2' }).argv).toEqual(['/bin/kimi', '--model=k2']);
});

test('a person’s own conversation and model win in the first life', () => {
  const extraArgs = ['-S', 'session_1', '-m', 'mine'];
  const plan = planLaunch({ ...request, extraArgs, model: 'other' });
  expect(plan.argv).toEqual(['/bin/kimi', ...extraArgs]);
  expect(plan.conversation).toBe('session_1');
});

test('the next life resumes the conversation, without what a resumed one refuses (rule 37)', () => {
  const extraArgs = ['--continue', '--agent', 'reviewer', '--plan'];
  const next = planLaunch({ ...request, extraArgs, epoch: 2, resume: 'session_2' });
  expect(next.argv).toEqual(['/bin/kimi', '--session=session_2', '--plan']);
  expect(next.conversation).toBe('session_2');
  const fresh = planLaunch({ ...request, extraArgs, epoch: 3 });
  expect(fresh.argv).toEqual(['/bin/kimi', '--agent', 'reviewer', '--plan']);
  expect(fresh.conversation).toBeUndefined();
});

function use(config: string): void {
  mkdirSync(join(home, 'sessions'), { recursive: true });
  writeFileSync(join(home, 'session_index.jsonl'), '');
  writeFileSync(join(home, 'config.toml'), config);
}
