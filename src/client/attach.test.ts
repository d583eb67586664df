import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { buildAttach } from './attach.ts';

function build(told: object, env: NodeJS.ProcessEnv = {}) {
  const home = tempHome();
  const view = told as Parameters<typeof buildAttach>[0];
  const folders = { state: home, config: home };
  const argv = () => buildAttach(view, folders, { HOME: home, ...env }, async () => 'tmux');
  return { home, argv };
}

test('a command is made of the ids that the daemon told', async () => {
  const tmux = build({ kind: 'tmux', ids: { target: '$1:@2.%3' } });
  const socket = join(tmux.home, 'tmux.sock');
  const words = ['tmux', '-N', '-u', '-f', '/dev/null', '-S', socket];
  const attach = [...words, 'attach-session', '-t', '$1:@2.%3'];
  expect(await tmux.argv()).toEqual(attach);
  const inside = build({ kind: 'tmux', ids: { target: '$1:@2.%3' } }, { TMUX: '/other,1,0' });
  expect((await inside.argv()).slice(0, 6)).toEqual([
    'env',
    '-u',
    'TMUX',
    '-u',
    'TMUX_PANE',
    'tmux',
  ]);
  const ids = { session: 'signalbox', tab: 'w1:t2', terminal: 'term_00ab' };
  expect(await build({ kind: 'herdr', ids }).argv()).toEqual([
    ...['herdr', '--session', 'signalbox', 'terminal', 'attach', 'term_00ab'],
  ]);
  const { session: _, ...current } = ids;
  expect(await build({ kind: 'herdr', ids: current }).argv()).toEqual([
    ...['herdr', 'terminal', 'attach', 'term_00ab'],
  ]);
});

test.each([
  ['an argv alone, as an older or a false daemon sends it', { argv: ['sh', '-c', 'touch owned'] }],
  ['another program', { kind: 'sh', ids: { target: '-c' }, argv: ['sh'] }],
  ['a further command of tmux', { kind: 'tmux', ids: { target: '$1 ; run-shell "touch owned"' } }],
  ['a format of tmux', { kind: 'tmux', ids: { target: '#(touch owned)' } }],
  ['an option', { kind: 'tmux', ids: { target: '-c/tmp' } }],
  ['two lines', { kind: 'tmux', ids: { target: '$1:@2.%3\n$1:@2.%3' } }],
  ['no text', { kind: 'tmux', ids: { target: ['$1:@2.%3'] } }],
  ['no ids', { kind: 'tmux' }],
  ['an option of herdr', { kind: 'herdr', ids: { tab: 't1', terminal: '--takeover' } }],
  [
    'a session that is an option',
    { kind: 'herdr', ids: { session: '-x', tab: 't', terminal: 'x' } },
  ],
  ['a socket elsewhere', { kind: 'herdr', ids: { session: '../../x', tab: 't', terminal: 'x' } }],
  ['an inherited name', { kind: 'constructor', ids: {} }],
])('attach runs no command that it is told: %s is refused', async (_, told) => {
  await expect(build(told).argv()).rejects.toMatchObject({ code: 'protocol-mismatch' });
});
