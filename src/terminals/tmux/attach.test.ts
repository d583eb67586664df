import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { attachFrom } from './attach.ts';

function place() {
  const stateFolder = tempHome();
  const socket = join(stateFolder, 'tmux.sock');
  writeFileSync(socket, '');
  return { tmux: 'tmux', socket, stateFolder, ledgerId: 'ldg_1', env: {} };
}

/** It starts no server, and reads nobody's configuration. */
const there = ['tmux', '-N', '-u', '-f', '/dev/null', '-S'];

test('from outside one attaches', () => {
  const here = place();
  expect(attachFrom(here, '$1:@2.%3', {}).argv).toEqual([
    ...there,
    here.socket,
    'attach-session',
    '-t',
    '$1:@2.%3',
  ]);
});

test('from inside our own server the client is switched', () => {
  const here = place();
  const env = {
    TMUX: `${here.stateFolder}/../${here.stateFolder.split('/').at(-1)}/tmux.sock,12,0`,
  };
  expect(attachFrom(here, '$1', env).argv).toEqual([
    ...there,
    here.socket,
    'switch-client',
    '-t',
    '$1',
  ]);
});

test('from inside another tmux one attaches all the same: it would refuse only because of the variable', () => {
  const here = place();
  const argv = [
    'env',
    '-u',
    'TMUX',
    '-u',
    'TMUX_PANE',
    ...there,
    here.socket,
    'attach-session',
    '-t',
    '$1',
  ];
  expect(attachFrom(here, '$1', { TMUX: '/tmp/tmux-1000/default,12,0' }).argv).toEqual(argv);
});
