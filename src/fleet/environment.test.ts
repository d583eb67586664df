import { expect, test } from 'vitest';
import { checkVariable, describeRelative, filterEnvironment } from './environment.ts';

test('rule 40: nesting marks, the multiplexer’s and signalbox’s own variables are not passed on', () => {
  const env = filterEnvironment(
    {
      PATH: '/bin',
      TMUX: '/x,1,0',
      TMUX_PANE: '%1',
      SIGNALBOX_AGENT: 'agt_parent',
      SIGNALBOX_TOKEN: 'secret',
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CODEX_THREAD_ID: 't',
      QWEN_CODE_SESSION_ID: 's',
      OPENCODE_SERVER_PASSWORD: 'p',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_EDITOR: 'true',
      PAGER: 'cat',
    },
    {},
  );
  expect(env).toEqual({ PATH: '/bin' });
});

test('rule 40: what a person sets himself stays', () => {
  const own = {
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CODEX_HOME: '/c',
    GEMINI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    COPILOT_PROVIDER_BASE_URL: 'u',
    QWEN_CODE_DISABLE_UPDATE: '1',
    QWEN_CODE_SYSTEM_DEFAULTS_PATH: '/etc/mine.json',
    OPENCODE_CONFIG_CONTENT: '{"permission":"ask"}',
    GIT_CONFIG_GLOBAL: '/home/me/.gitconfig',
    PAGER: 'cat',
    GIT_EDITOR: 'true',
  };
  expect(filterEnvironment(own, {})).toEqual(own);
});

test('B13: --env overrides what is inherited, and quotes and newlines are only text', () => {
  const nasty = `a'b"c\n$(touch x) \`id\` ; é`;
  expect(filterEnvironment({ A: '1' }, { A: nasty })).toEqual({ A: nasty });
});

test('B13: blocked prefixes, long values and bad names are refused with a message', () => {
  const code = expect.objectContaining({ code: 'not-allowed' });
  for (const name of [
    'CLAUDE_CODE_X',
    'codex_home',
    'SIGNALBOX_AGENT',
    'TMUX',
    'LD_PRELOAD',
    'ANTHROPIC_API_KEY',
  ]) {
    expect(() => checkVariable(name, '1')).toThrow(code);
  }
  expect(() => checkVariable('A', 'x'.repeat(2049))).toThrow(code);
  expect(() => checkVariable('A B', '1')).toThrow(code);
  expect(() => checkVariable('A', 'a\0b')).toThrow(code);
  checkVariable('A', 'é'.repeat(1024));
});

test('rule 46: entries of PATH that mean another folder everywhere are dropped, wherever they come from', () => {
  const path = (inherited: string, extra: Record<string, string> = {}) =>
    filterEnvironment({ PATH: inherited }, extra)['PATH'];
  expect(path('./bin:/bin::node_modules/.bin:/usr/bin:.')).toBe('/bin:/usr/bin');
  expect(path('/bin', { PATH: 'bin:/opt/bin:' })).toBe('/opt/bin');
  // An empty PATH leads to the working folder as well.
  expect(filterEnvironment({ PATH: './bin' }, {})).not.toHaveProperty('PATH');
  expect(filterEnvironment({ PATH: '' }, {})).not.toHaveProperty('PATH');
  expect(describeRelative('/bin:./bin:')).toEqual([
    'relative entries of PATH left out ("./bin", ""): they lead into whatever folder one is in',
  ]);
  for (const none of ['/bin', '', undefined]) expect(describeRelative(none)).toEqual([]);
});
