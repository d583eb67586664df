import { expect, test } from 'vitest';
import { uninstallLine } from './uninstall.ts';

test.each([
  ['of the Node that runs it', '/usr/local', '/usr/local/bin/node', ''],
  ['of the user', '/home/ann/.npm', '/usr/bin/node', '--prefix /home/ann/.npm '],
  ['with a blank', '/home/ann/my apps', '/usr/bin/node', "--prefix '/home/ann/my apps' "],
])('the npm line names the prefix %s where npm would not find it', (_what, prefix, node, words) => {
  const program = `${prefix}/lib/node_modules/signalbox/dist/signalbox.cjs`;
  expect(uninstallLine(program, node)).toBe(`npm uninstall -g ${words}signalbox`);
});

test('from a clone it is the plain line', () => {
  const line = uninstallLine('/src/signalbox/dist/signalbox.cjs', '/usr/bin/node');
  expect(line).toBe('npm uninstall -g signalbox');
});
