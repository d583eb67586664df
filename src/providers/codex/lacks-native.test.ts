import { expect, test } from 'vitest';
import { launchRequest } from '../../../test/support/launch-request.ts';
import { describeWait } from '../../messages/describe-wait.ts';
import { lacksNative } from './lacks-native.ts';
import { planLaunch } from './launch.ts';

function say(version: string | undefined, ...extraArgs: string[]): string | undefined {
  const why = lacksNative({ version, extraArgs });
  return why && describeWait(why);
}

test('rule 48: a version without a queue says which one has it, and how to get that', () => {
  expect(say('0.140.0')).toBe(
    'Codex 0.140.0 cannot be woken; 0.148.0 or newer can: npm install -g @openai/codex',
  );
});

test.each(['0.148.0', '0.155.0', '0.160.0', '0.165.0', '0.166.0', '0.169.0', '1.0.0'])(
  'Codex %s can be woken',
  (version) => {
    expect(say(version)).toBeUndefined();
    expect(say(version, '-m', 'gpt-6', '-c', 'a=1', 'do it')).toBeUndefined();
  },
);

test('rule 48: a version that nobody could read, and arguments, are named', () => {
  expect(say(undefined)).toBe(
    'signalbox could not read the version of this Codex, so it does not use its queue',
  );
  expect(say('0.166.0', '-m', 'x', '-p', 'work', '-C', '/x')).toBe(
    'Codex started with -p and -C cannot be woken; without these it can',
  );
  expect(say('0.166.0', '--remote=ws://x')).toContain('with --remote cannot be woken');
  expect(say('0.166.0', 'exec', 'do it')).toBe(
    'Codex started with exec cannot be woken; without this it can',
  );
  // The version comes first: without the argument it could not be woken either.
  expect(say('0.147.0', '-p', 'work')).toContain('0.148.0 or newer can');
});

test('it lacks a queue exactly where its launch gives it no app-server', () => {
  const request = launchRequest({ executablePath: '/bin/codex' });
  for (const version of [undefined, '0.9.0', '0.147.9', '0.148.0', '0.166.0', '2.0.0']) {
    for (const extraArgs of [
      [],
      ['-p', 'w'],
      ['--', '-p'],
      ['login'],
      ['--new-flag'],
      ['-a', 'never'],
    ]) {
      const { helpers } = planLaunch({ ...request, version, extraArgs });
      expect(helpers.length === 0, `${version} ${extraArgs}`).toBe(
        lacksNative({ version, extraArgs }) !== undefined,
      );
    }
  }
});
