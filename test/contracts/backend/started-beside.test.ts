import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Fault } from '../../../src/shared/fault.ts';
import type { Terminal, WantedHelper } from '../../../src/terminals/terminal.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type BackendWorld, backendContract } from './backends.ts';

/** Notes its process, and stays. */
function describeHelper(world: BackendWorld) {
  const pids = join(world.folder, 'pids');
  const argv = ['sh', '-c', `echo "$$ $MARK" >> ${pids}; exec cat`];
  const started = (): readonly string[] =>
    existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n') : [];
  return { helper: { name: 'server', argv, readyPath: pids }, started };
}

/**
 * herdr 0.6.8 frees a name when its pane has gone, a moment after its program: whoever asks sooner
 * is told so, and asks again.
 */
async function tryToStart(world: BackendWorld, terminal: Terminal, helper: WantedHelper) {
  try {
    return await world.backend.startHelper(terminal, helper);
  } catch (error) {
    if (error instanceof Fault && error.message.includes('is taken')) return 'not yet';
    throw error;
  }
}

backendContract('a backend and the helpers of a running agent', (check) => {
  check(
    'rule 53: one that ended is started again, in its agent’s environment; it is no agent, and goes with its agent',
    async (world) => {
      const { helper, started } = describeHelper(world);
      const env = { ...world.wanted(['cat']).env, MARK: 'of this agent' };
      const terminal = await world.launchUntil('here', ['sh', '-c', 'echo here; exec cat'], {
        helpers: [helper],
        env,
      });
      const again = { ...helper, env, cwd: world.folder, umask: 0o022 };
      expect(await world.backend.startHelper(terminal, again)).toBe('running');
      process.kill(Number(started()[0]?.split(' ')[0]), 'SIGKILL');
      await waitUntil(
        'a second one',
        async () => (await tryToStart(world, terminal, again)) === 'started',
      );
      await waitUntil('its note', () => started().length === 2);
      const [pid = '', ...mark] = started()[1]?.split(' ') ?? [];
      expect(mark.join(' ')).toBe('of this agent');
      expect(await world.backend.startHelper(terminal, again)).toBe('running');
      expect(await world.backend.list()).toHaveLength(1);
      await world.untilScreen(terminal, 'here');

      await world.backend.closeTerminal(terminal);
      await waitUntil('the end of the helper', () => !existsSync(`/proc/${pid}`));
      expect(await world.backend.startHelper(terminal, again)).toBe('gone');
      expect(started()).toHaveLength(2);
    },
  );
});
