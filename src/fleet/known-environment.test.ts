import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readEnvironment } from '../shared/process-tree.ts';
import { KnownEnvironment } from './known-environment.ts';

test.runIf(process.platform === 'linux')(
  'rule 10: where a process kept its records is known after its death',
  async () => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      CLAUDE_CONFIG_DIR: '/srv/claude',
      SIGNALBOX_AGENT: 'agt_1',
    };
    const child = spawn('sh', ['-c', 'echo ready; exec sleep 60'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    const { pid = 0 } = child;
    const known = new KnownEnvironment('agt_1', pid);
    expect(known.read()).toMatchObject(env);
    expect(new KnownEnvironment('agt_2', pid).read()).toEqual({});
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readEnvironment(pid)).toBeUndefined();
    expect(known.read()).toMatchObject(env);
  },
);

test('of a process that never could be read nothing is known', () => {
  expect(new KnownEnvironment('agt_1', 2 ** 22 + 1).read()).toEqual({});
});
