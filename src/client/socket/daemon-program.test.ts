import { expect, test } from 'vitest';
import { daemonEnvironment } from './daemon-program.ts';

const folders = { state: '/state', config: '/config' };

test('the daemon inherits nothing of the agent, multiplexer or CLI that happens to start it', () => {
  const env = daemonEnvironment(folders, {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C.UTF-8',
    XDG_RUNTIME_DIR: '/run/user/1',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
    SIGNALBOX_TERMINAL: 'tmux',
    SIGNALBOX_AGENT: 'agt_1',
    SIGNALBOX_TOKEN: 'tok_1',
    SIGNALBOX_SOCKET: '/old',
    TMUX: '/tmp/tmux,1,0',
    TMUX_PANE: '%1',
    CLAUDECODE: '1',
    ANTHROPIC_API_KEY: 'secret',
    NODE_OPTIONS: '--inspect',
    LD_PRELOAD: '/x.so',
  });
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C.UTF-8',
    XDG_RUNTIME_DIR: '/run/user/1',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
    SIGNALBOX_TERMINAL: 'tmux',
  });
});

test('a relative SIGNALBOX_HOME is made absolute: the daemon runs in another folder', () => {
  expect(daemonEnvironment(folders, { SIGNALBOX_HOME: 'here' })).toEqual({
    SIGNALBOX_HOME: '/state',
  });
});

test('nor the mark of an on-attention command that started it: by that mark such commands are ended', () => {
  const env = { PATH: '/bin', SIGNALBOX_TOLD_BY: 'ldg_1' };
  expect(daemonEnvironment(folders, env)).toEqual({ PATH: '/bin' });
});
