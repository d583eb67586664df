import { expect, test } from 'vitest';
import { FakeBackend } from '../../test/fakes/backend.ts';
import { userAgentId } from '../agents/agent.ts';
import { systemClock } from '../shared/clock.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { openBackends } from '../terminals/backends.ts';
import { add } from './add.ts';
import { chooseBackend } from './choose-backend.ts';

const herdr = { SIGNALBOX_TERMINAL: 'herdr' };
const tmux = { SIGNALBOX_TERMINAL: 'tmux' };

test.for<[string, Partial<Parameters<typeof chooseBackend>[1]>, string]>([
  ['nothing said: the default', {}, 'tmux'],
  ['the environment before the default', { callerEnv: herdr }, 'herdr'],
  ['an empty variable says nothing', { callerEnv: { SIGNALBOX_TERMINAL: '' } }, 'tmux'],
  ['the flag before the environment', { terminal: 'herdr', callerEnv: tmux }, 'herdr'],
  ['the flag before the parent', { terminal: 'tmux', parent: 'agt_herdr' }, 'tmux'],
  ['a parent that is named before the default', { parent: 'agt_herdr' }, 'herdr'],
  ['a person’s environment before the parent', { callerEnv: tmux, parent: 'agt_herdr' }, 'tmux'],
  ['a child lives where the agent does that launches it', { callerAgent: 'agt_herdr' }, 'herdr'],
  ['whatever its environment says', { callerAgent: 'agt_herdr', callerEnv: tmux }, 'herdr'],
  ['an agent’s own flag', { callerAgent: 'agt_herdr', terminal: 'tmux' }, 'tmux'],
  ['a parent without a terminal of ours has none to give', { parent: 'agt_none' }, 'tmux'],
])('B1: %s', async ([, wanted, expected]) => {
  const ledger = new MemoryLedger();
  for (const backend of ['herdr', 'none']) {
    const draft = { name: backend, session: 'default', notify: true, cwd: '/' };
    const agent = await add(ledger, systemClock, draft);
    await ledger.write((tx) => tx.agents.insert({ ...agent, ...named(backend), backend }));
  }
  const backends = openBackends({
    default: 'tmux',
    names: ['tmux', 'herdr'],
    open: { tmux: (name) => new FakeBackend(name) },
  });
  const nobody = { callerAgent: userAgentId, callerEnv: {}, parent: undefined };
  expect(await chooseBackend({ ledger, backends }, { ...nobody, ...wanted })).toBe(expected);
});

function named(backend: string) {
  return { id: `agt_${backend}`, name: `in-${backend}` };
}
