import { expect, test } from 'vitest';
import { mayLackNative } from '../providers/may-lack-native.ts';
import { openProviderShelf } from '../providers/registry.ts';
import { readWays } from './read-ways.ts';

const shelf = openProviderShelf({ config: '/none', state: '/none' });
const codex = await shelf.find('codex');

test('rule 48: a life that its CLI has no way into of its own has no native route, and says why', () => {
  const ways = readWays(codex, { version: '0.140.0', extraArgs: [] });
  expect(ways).toMatchObject({
    routes: ['pull'],
    provable: [],
    lacksNative: { code: 'version-too-old' },
  });
  const newer = readWays(codex, { version: '0.166.0', extraArgs: [] });
  expect(newer).toMatchObject({ routes: ['native', 'pull'], provable: ['native'] });
  expect(newer).not.toHaveProperty('lacksNative');
});

test('what its server says of itself counts more than its version', () => {
  const lack = { code: 'no-queue', title: 'Codex', version: '0.170.0' } as const;
  const life = { version: '0.170.0', extraArgs: [] };
  expect(readWays(codex, life, lack)).toMatchObject({ routes: ['pull'], lacksNative: lack });
});

test('rule 51b: a version that swallows an Enter behind a paste gets the user’s words as notices', async () => {
  const claude = await shelf.find('claude-code');
  const waysOf = (version: string) => readWays(claude, { version, extraArgs: [] });
  expect(waysOf('2.1.240').prompts).toEqual([]);
  expect(waysOf('2.1.240')).not.toHaveProperty('pastesWithEnter');
  expect(waysOf('2.1.240').routes).toEqual(waysOf('2.1.325').routes);
  for (const version of ['2.1.280', '2.1.310', '2.1.325', 'unheard-of'])
    expect(waysOf(version)).toMatchObject({ prompts: ['paste'], pastesWithEnter: true });
  expect(readWays(claude, undefined)).toMatchObject({ prompts: ['paste'] });
});

test.each(shelf.names)(
  '%s stands in the list of those to be asked, or need not be',
  async (name) => {
    const { lacksNative } = await shelf.find(name);
    expect(mayLackNative.has(name)).toBe(lacksNative !== undefined);
  },
);
