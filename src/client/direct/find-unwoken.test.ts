import { expect, test } from 'vitest';
import { readWays } from '../../fleet/read-ways.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { findUnwoken } from './find-unwoken.ts';

const folders = { config: '/none', state: '/none' };
const shelf = openProviderShelf(folders);

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
  const unwoken = await findUnwoken(folders, { name: 'gem', provider, backend, status: 'idle' });
  expect(unwoken === undefined).toBe(isWoken);
});

// Where a paste can be made no provider is loaded to find this out.
test.each(shelf.names)('%s has a native route or a paste', async (name) => {
  const { routes } = readWays(await shelf.find(name));
  expect(routes.some((route) => route === 'native' || route === 'paste')).toBe(true);
});

test('what is said of Gemini CLI and Kimi in herdr', async () => {
  for (const provider of ['gemini', 'kimi']) {
    const agent = { name: 'gem', provider, backend: 'herdr', status: 'idle' } as const;
    expect(await findUnwoken(folders, agent)).toBe(
      "gem is not woken while it is at rest: herdr shows neither the cursor nor a person's typing, so signalbox pastes nothing there. " +
        'Messages wait until a turn that a person begins in its terminal ends. To have it woken, remove it and launch it with --terminal tmux.',
    );
    expect(await findUnwoken(folders, { ...agent, status: 'processing' })).toBeUndefined();
    expect(await findUnwoken(folders, { ...agent, status: 'exited' })).toBeUndefined();
  }
});

test('an agent without a terminal, or whose provider or backend nobody knows, is not spoken of', async () => {
  const agent = { name: 'gem', provider: 'gemini', backend: 'herdr', status: 'idle' } as const;
  expect(await findUnwoken(folders, { ...agent, backend: 'none' })).toBeUndefined();
  expect(await findUnwoken(folders, { ...agent, backend: 'constructor' })).toBeUndefined();
  expect(await findUnwoken(folders, { ...agent, provider: 'gone' })).toBeUndefined();
});
