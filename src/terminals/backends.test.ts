import { expect, test } from 'vitest';
import { FakeBackend } from '../../test/fakes/backend.ts';
import { openBackends } from './backends.ts';

const open = { tmux: (name: string) => new FakeBackend(name) };
const names = ['tmux', 'herdr'];

test('a backend is opened once, when it is first asked for; the default one at once', () => {
  const both = { ...open, herdr: open.tmux };
  const backends = openBackends({ default: 'herdr', names, open: both });
  expect(backends.opened()).toEqual([backends.default]);
  expect(backends.default.name).toBe('herdr');
  expect(backends.of('tmux')).toBe(backends.of('tmux'));
  expect(backends.opened().map(({ name }) => name)).toEqual(['herdr', 'tmux']);
});

test('B1: a name that there is not, and one that this version has not, are said to be so', () => {
  const backends = openBackends({ default: 'tmux', names, open });
  const wrong = { code: 'invalid-input', next: 'Give one of tmux, herdr.' };
  expect(() => backends.of('screen')).toThrow(expect.objectContaining(wrong));
  expect(() => backends.of('toString')).toThrow(expect.objectContaining(wrong));
  const missing = { code: 'config-invalid', next: expect.stringContaining('--terminal tmux') };
  expect(() => backends.of('herdr')).toThrow(expect.objectContaining(missing));
  expect(() => openBackends({ default: 'herdr', names, open })).toThrow(/not available/);
});
