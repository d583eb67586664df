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

test.each(shelf.names)(
  '%s stands in the list of those to be asked, or need not be',
  async (name) => {
    const { lacksNative } = await shelf.find(name);
    expect(mayLackNative.has(name)).toBe(lacksNative !== undefined);
  },
);
