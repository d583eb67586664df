import { expect, test } from 'vitest';
import { parseDirectives } from './directives.ts';

test('several directives in one prompt are steps in order, and the words around them mean nothing', () => {
  expect(parseDirectives('Please @@work 200 @@say a\\nb\nand then @@exit 3')).toEqual([
    { do: 'work', ms: 200 },
    { do: 'say', text: 'a\nb' },
    { do: 'exit', code: 3 },
  ]);
});

test('a prompt without directives is answered', () => {
  expect(parseDirectives('fix the build, mail me@@home')).toEqual([{ do: 'say', text: 'ok' }]);
});

test.each([
  ['@@work 2s', { do: 'work', ms: 2000 }],
  ['@@stream 50 lines 5ms', { do: 'stream', lines: 50, everyMs: 5 }],
  ['@@stream 3', { do: 'stream', lines: 3, everyMs: 10 }],
  ['@@ask permission rm -r a b', { do: 'ask', dialog: 'permission', about: 'rm -r a b' }],
  [
    '@@tool assign {"profile":"worker","task":"a b"}',
    { do: 'tool', name: 'assign', given: { profile: 'worker', task: 'a b' } },
  ],
  ['@@tool list_agents', { do: 'tool', name: 'list_agents', given: {} }],
  ['@@flood', { do: 'flood', bytes: Infinity, perSecond: Infinity }],
  ['@@flood 100mb', { do: 'flood', bytes: 1e8, perSecond: Infinity }],
  ['@@flood at 50kb/s', { do: 'flood', bytes: Infinity, perSecond: 50_000 }],
  ['@@flood 1mb at 50kb/s', { do: 'flood', bytes: 1e6, perSecond: 50_000 }],
  ['@@garbage', { do: 'garbage', bytes: 64_000 }],
  ['@@long-line 2mb', { do: 'long-line', bytes: 2e6 }],
  ['@@ignore hup term', { do: 'ignore', signals: ['SIGHUP', 'SIGTERM'] }],
  ['@@spawn-child detached', { do: 'spawn-child', detached: true }],
  ['@@exit', { do: 'exit', code: 0 }],
])('%s', (text, step) => {
  expect(parseDirectives(text)).toEqual([step]);
});

test.each(['@@work', '@@stream many', '@@ask nobody', '@@flood x', '@@ignore kill', '@@exit now'])(
  '%s cannot be read and fails the turn with its own words',
  (text) => {
    expect(parseDirectives(text)).toEqual([
      { do: 'fail', text: `cannot read the directive ${text}` },
    ]);
  },
);
