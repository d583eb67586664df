import { expect, test } from 'vitest';
import { readWays } from '../../fleet/read-ways.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { findUnwoken } from './find-unwoken.ts';

const folders = { config: '/none', state: '/none' };
const shelf = openProviderShelf(folders);
const newest = { providerVersion: '999.0.0', extraArgs: [] };

/**
 * Which agents a message wakes at rest, by the data of their provider and of their backend.
 * `generic` in tmux is told by one pasted line, where its composer is described.
 */
const woken: Readonly<Record<string, { readonly tmux: boolean; readonly herdr: boolean }>> = {
  'claude-code': { tmux: true, herdr: true },
  codex: { tmux: true, herdr: true },
  gemini: { tmux: true, herdr: false },
  opencode: { tmux: true, herdr: true },
  copilot: { tmux: true, herdr: true },
  qwen: { tmux: true, herdr: true },
  kimi: { tmux: true, herdr: false },
  generic: { tmux: true, herdr: false },
};

test('the table has every provider', () => {
  expect(Object.keys(woken).toSorted()).toEqual([...shelf.names].toSorted());
});

const cases = Object.entries(woken).flatMap(([provider, places]) =>
  Object.entries(places).map(([backend, isWoken]) => ({ provider, backend, isWoken })),
);

test.each(cases)('$provider in $backend is woken at rest: $isWoken', async (one) => {
  const { provider, backend, isWoken } = one;
  const unwoken = await findUnwoken(
    folders,
    { name: 'gem', provider, backend, status: 'idle' },
    newest,
  );
  expect(unwoken === undefined).toBe(isWoken);
});

// Where a paste can be made no provider is loaded to find this out.
test.each(shelf.names)('%s has a native route or a paste', async (name) => {
  const { routes } = readWays(await shelf.find(name), undefined);
  expect(routes.some((route) => route === 'native' || route === 'paste')).toBe(true);
});

test('what is said of Gemini CLI and Kimi in herdr', async () => {
  for (const provider of ['gemini', 'kimi']) {
    const agent = { name: 'gem', provider, backend: 'herdr', status: 'idle' } as const;
    expect(await findUnwoken(folders, agent, newest)).toBe(
      "gem is not woken while it is at rest: herdr shows neither the cursor nor a person's typing, so signalbox pastes nothing there. " +
        'Messages wait until a turn that a person begins in its terminal ends. To have it woken, remove it and launch it with --terminal tmux.',
    );
    expect(await findUnwoken(folders, { ...agent, status: 'processing' }, newest)).toBeUndefined();
    expect(await findUnwoken(folders, { ...agent, status: 'exited' }, newest)).toBeUndefined();
  }
});

test('rule 48: what is said of a Codex whose version has no queue, in any backend', async () => {
  const agent = { name: 'cod', provider: 'codex', status: 'idle' } as const;
  const life = { providerVersion: '0.140.0', extraArgs: [] };
  for (const backend of ['tmux', 'herdr']) {
    const said =
      'cod is not woken while it is at rest: Codex 0.140.0 cannot be woken; 0.148.0 or newer can: npm install -g @openai/codex. ' +
      'Messages wait until it takes them itself, with `signalbox inbox drain`. ' +
      'Once that is installed, `signalbox restart cod` starts it in the new version.';
    expect(await findUnwoken(folders, { ...agent, backend }, life)).toBe(said);
    const works = { ...agent, backend, status: 'processing' } as const;
    expect(await findUnwoken(folders, works, life)).toBe(said);
    const ended = { ...agent, backend, status: 'exited' } as const;
    expect(await findUnwoken(folders, ended, life)).toBeUndefined();
    // A life that the ledger does not tell of is not spoken of.
    expect(await findUnwoken(folders, { ...agent, backend }, undefined)).toBeUndefined();
  }
});

test('an agent without a terminal, or whose provider or backend nobody knows, is not spoken of', async () => {
  const agent = { name: 'gem', provider: 'gemini', backend: 'herdr', status: 'idle' } as const;
  expect(await findUnwoken(folders, { ...agent, backend: 'none' }, newest)).toBeUndefined();
  expect(await findUnwoken(folders, { ...agent, backend: 'constructor' }, newest)).toBeUndefined();
  expect(await findUnwoken(folders, { ...agent, provider: 'gone' }, newest)).toBeUndefined();
});
