import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookCommand, launchRequest } from '../../../test/support/launch-request.ts';
import { hookEvents } from '../claude-style-hooks.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { planLaunch } from './launch.ts';

const old = 'a1b2c3d4-1111-4222-8333-444455556666';
const fresh = 'f0000000-1111-4222-8333-444455556666';
const channels = ['--input-file', '/run/1/input.jsonl', '--json-file', '/run/1/events.jsonl'];
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a launch adds files of its own run and no bypass flag (rule 39)', () => {
  const plan = planLaunch(request({}));
  expect(plan.argv).toEqual(['/bin/qwen', '--session-id', fresh, ...channels]);
  expect(plan.env).toEqual({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: '/run/1/defaults.json' });
  expect(plan.conversation).toBe(fresh);
  // Qwen Code wants both to be there.
  expect(plan.files.slice(0, 2)).toEqual([
    { path: 'input.jsonl', text: '' },
    { path: 'events.jsonl', text: '' },
  ]);
  const hooks = Object.fromEntries(
    hookEvents.map((event) => [
      event,
      [
        {
          hooks: [
            {
              type: 'command',
              command: hookCommand(event, { unlessSet: 'QWEN_CODE' }),
              timeout: 5000,
            },
          ],
        },
      ],
    ]),
  );
  expect(readDefaults(plan)).toEqual({ hooks });
});

test('an administrator’s defaults are kept, with both hooks', () => {
  const theirs = { hooks: [{ type: 'command', command: 'audit' }] };
  writeFileSync(
    join(home, 'system-defaults.json'),
    JSON.stringify({ tools: { sandbox: true }, hooks: { Stop: [theirs], PreToolUse: [theirs] } }),
  );
  const defaults = readDefaults(planLaunch(request({}))) as { hooks: Record<string, unknown[]> };
  expect(defaults).toMatchObject({ tools: { sandbox: true }, hooks: { PreToolUse: [theirs] } });
  expect(defaults.hooks['Stop']).toHaveLength(2);
  expect(defaults.hooks['Stop']?.[0]).toEqual(theirs);
});

test('an administrator’s defaults that cannot be read stay in force, and ours are left out (O5)', () => {
  writeFileSync(join(home, 'system-defaults.json'), '{ // a comment');
  const plan = planLaunch(request({}));
  expect(plan.env).toEqual({});
  expect(readDefaults(plan)).toBeUndefined();
});

test('model and a person’s own arguments follow; what a person says about any wins', () => {
  const argv = (wish: Partial<LaunchRequest>): readonly string[] => planLaunch(request(wish)).argv;
  expect(argv({ model: 'm', extraArgs: ['--yolo'] }).slice(7)).toEqual(['--model=m', '--yolo']);
  expect(argv({ model: 'm', extraArgs: ['-m', 'n'] }).slice(7)).toEqual(['-m', 'n']);
  const own = planLaunch(request({ extraArgs: ['--continue', '--json-file', '/mine'] }));
  expect(own.argv).toEqual([
    '/bin/qwen',
    ...channels.slice(0, 2),
    '--continue',
    '--json-file',
    '/mine',
  ]);
  expect(own.conversation).toBeUndefined();
  expect(own.files.map(({ path }) => path)).toEqual(['input.jsonl', 'defaults.json']);
});

test('a restart resumes the conversation, whatever was chosen the first time (rule 37)', () => {
  const again = request({ epoch: 2, resume: old, extraArgs: ['--continue', '--yolo'] });
  expect(planLaunch(again).argv).toEqual(['/bin/qwen', `--resume=${old}`, ...channels, '--yolo']);
  expect(planLaunch(again).conversation).toBe(old);
});

function readDefaults(plan: LaunchPlan): unknown {
  const text = plan.files.find(({ path }) => path === 'defaults.json')?.text;
  return text === undefined ? undefined : JSON.parse(text);
}

function request(wish: Partial<LaunchRequest>): LaunchRequest {
  return launchRequest({
    executablePath: '/bin/qwen',
    runFolder: '/run/1',
    env: { HOME: home, QWEN_CODE_SYSTEM_SETTINGS_PATH: join(home, 'settings.json') },
    newConversation: fresh,
    ...wish,
  });
}
