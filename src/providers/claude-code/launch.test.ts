import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { hookCommand, launchRequest } from '../../../test/support/launch-request.ts';
import { hookEvents } from '../claude-style-hooks.ts';
import type { LaunchPlan } from '../launch-plan.ts';
import { planLaunch } from './launch.ts';
import { ownEvents } from './settings.ts';

const uuid = '7f1c2d34-0000-4000-8000-000000000001';
const request = launchRequest({ executablePath: '/bin/claude', newConversation: uuid });

test('a launch names its conversation and brings its hooks in a settings file of its own', () => {
  const plan = planLaunch({ ...request, model: 'opus', extraArgs: ['--permission-mode', 'plan'] });
  expect(plan.argv).toEqual([
    ...['/bin/claude', '--settings', '/run/agt_1-1/settings.json', '--session-id', uuid],
    ...['--model=opus', '--permission-mode', 'plan'],
  ]);
  expect(plan.conversation).toBe(uuid);
  expect(plan.helpers).toEqual([]);
});

test('rule 39: the settings hold hooks and nothing else, and no flag answers a question', () => {
  const plan = planLaunch(request);
  expect(plan.files.map(({ path }) => path)).toEqual(['settings.json']);
  const settings = JSON.parse(plan.files[0]?.text ?? '') as object;
  expect(Object.keys(settings)).toEqual(['hooks']);
  expect(Object.keys(hooksOf(plan))).toEqual([...hookEvents, ...ownEvents, 'ConfigChange']);
  expect(plan.argv.join(' ')).not.toMatch(/dangerously|bypass|permission|allow/i);
  expect(plan.env).toEqual({});
});

test('rule 19: the hooks of Stop and PostToolUse are synchronous', () => {
  for (const event of ['Stop', 'PostToolUse']) {
    expect(hooksOf(planLaunch(request))[event]?.[0]?.hooks[0]).toEqual({
      type: 'command',
      command: hookCommand(event),
      timeout: 5,
    });
  }
});

test('rule 22: after the start, each prompt and each stop a hook waits, as a child of the CLI', () => {
  const beside = Object.entries(hooksOf(planLaunch(request))).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.slice(1).map((hook) => ({ event, hook }))),
  );
  const waiting = beside.filter(({ event }) => event !== 'PermissionRequest');
  expect(waiting.map(({ event }) => event)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
  for (const { event, hook } of waiting) {
    expect(hook).toMatchObject({ command: hookCommand(event, { waits: true }), asyncRewake: true });
    expect(hook['timeout']).toBe(7 * 24 * 60 * 60);
  }
});

test('rule 23: beside the quick hook of a permission one holds it for its answer, and the CLI waits for it', () => {
  const [group] = hooksOf(planLaunch(request))['PermissionRequest'] ?? [];
  expect(group?.hooks[0]).toMatchObject({ command: hookCommand('PermissionRequest'), timeout: 5 });
  const command = hookCommand('PermissionRequest', { decides: true });
  expect(group?.hooks.slice(1)).toEqual([{ type: 'command', command, timeout: 604_800 }]);
});

test('rule 53: a change of settings brings one more that waits, and nothing that anybody waits for', () => {
  const groups = hooksOf(planLaunch(request))['ConfigChange'];
  expect(groups).toMatchObject([
    { hooks: [{ command: hookCommand('ConfigChange', { waits: true }), asyncRewake: true }] },
  ]);
  expect(groups?.[0]?.hooks).toHaveLength(1);
});

test("a person's own conversation is respected", () => {
  const own = planLaunch({ ...request, extraArgs: ['--resume', 'abc'] });
  expect(own.argv.slice(3)).toEqual(['--resume', 'abc']);
  expect(own.conversation).toBeUndefined();
  const named = planLaunch({ ...request, extraArgs: ['--session-id=abc'] });
  expect(named.argv.slice(3)).toEqual(['--session-id=abc']);
  expect(named.conversation).toBe('abc');
  expect(planLaunch({ ...request, extraArgs: ['-c'] }).argv.slice(3)).toEqual(['-c']);
});

test("a person's own settings are part of ours, hooks and all", () => {
  const cwd = tempHome();
  const theirs = { model: 'opus', hooks: { Stop: [{ hooks: ['their own'] }], PreToolUse: [] } };
  writeFileSync(join(cwd, 'mine.json'), JSON.stringify(theirs));
  for (const extraArgs of [
    ['--settings', 'mine.json', '--verbose'],
    [`--settings=${join(cwd, 'mine.json')}`, '--verbose'],
    ['--settings', '{"model":"other"}', '--settings', JSON.stringify(theirs), '--verbose'],
  ]) {
    const plan = planLaunch({ ...request, cwd, extraArgs });
    const ours = ['--settings', '/run/agt_1-1/settings.json', '--session-id', uuid, '--verbose'];
    expect(plan.argv.slice(1)).toEqual(ours);
    expect(JSON.parse(plan.files[0]?.text ?? '')).toMatchObject({ model: 'opus' });
    const [first, second] = hooksOf(plan)['Stop'] ?? [];
    const commands = [first, second?.hooks[0]?.['command']];
    expect(commands).toEqual([{ hooks: ['their own'] }, hookCommand('Stop')]);
    expect(hooksOf(plan)['PreToolUse']).toEqual([]);
  }
});

test("a person's settings that cannot be read are left to the CLI", () => {
  for (const settings of ['nowhere.json', '{"half']) {
    const plan = planLaunch({ ...request, extraArgs: ['--settings', settings] });
    expect(plan.argv.slice(1)).toEqual(['--session-id', uuid, '--settings', settings]);
    expect(plan.files).toEqual([]);
  }
});

test('rule 37: a later life resumes what the agent was doing, not what a person chose at first', () => {
  const extraArgs = ['--session-id', 'abc', '--verbose', '-r', 'def', '--continue'];
  const resumed = planLaunch({ ...request, epoch: 2, resume: 'now', extraArgs });
  expect(resumed.argv.slice(3)).toEqual(['--resume=now', '--verbose']);
  expect(resumed.conversation).toBe('now');
  const fresh = planLaunch({ ...request, epoch: 3, extraArgs });
  expect(fresh.argv.slice(3)).toEqual(['--session-id', uuid, '--verbose']);
});

type Hook = Readonly<Record<string, unknown>>;
type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;

function hooksOf({ files }: LaunchPlan): Hooks {
  return (JSON.parse(files[0]?.text ?? '') as { readonly hooks: Hooks }).hooks;
}
