import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { findProblems } from '../support/hostile.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { type HostileWorld, openHostileWorld } from './fixtures/hostile-world.ts';

/** Fields that are shown as texts of their own: their lines are theirs. */
const blocks = [
  'body',
  'message.body',
  'output.text',
  'output.bytes',
  'instructions',
  'log',
  'daemon.log.stack',
];

/** Either how to run it, each with its exit codes, or why nothing of others' passes through it. */
type Walk = ((world: HostileWorld) => readonly (readonly string[])[]) | { readonly none: string };
const group = { none: 'a group: it prints its help' };

/** Every command. One that is new has to be put here. */
const walks: Readonly<Record<string, Walk>> = {
  up: () => [['up']],
  down: { none: 'prints a pid and a number; it would end this process' },
  health: () => [['health']],
  launch: () => [
    ['launch', 'generic', '--name', 'x'],
    ['launch', 'generic', '--name', 'x', 'hello'],
  ],
  agents: group,
  'agents add': () => [
    ['agents', 'add', 'fresh'],
    ['agents', 'add', 'a\u202eb'],
  ],
  'agents ls': () => [['agents', 'ls']],
  'agents rm': () => [['agents', 'rm', 'gone']],
  ls: () => [['ls'], ['ls', '--session', 'x\u202e\u001b[2J']],
  rm: () => [
    ['rm', 'worker'],
    ['rm', 'worker', 'broken'],
  ],
  status: () => [
    ['status', 'worker'],
    ['status', 'puller'],
    ['status', 'ghost\u001b[2J'],
  ],
  attach: () => [['attach', 'worker']],
  output: () => [
    ['output', 'worker'],
    ['output', 'worker', '--last'],
    ['output', 'worker', '--full'],
  ],
  stop: () => [['stop', 'worker', 'broken']],
  restart: () => [['restart', 'worker', 'broken']],
  'run-task': () => [
    ['run-task', '--title', 'a\u001b[2J\u202e', '--parent', 'no\u001b[2J', '--', 'true'],
    ['run-task', '--title', 'a\u001b[2J\u202e', '--', 'no-such\u001b[2J'],
  ],
  send: () => [
    ['send', 'worker', 'hello'],
    ['send', 'nobody\u001b[2J\u202e', 'hello'],
  ],
  inbox: group,
  'inbox list': () => [['inbox', 'list', 'puller', '--state', 'all']],
  'inbox show': ({ queued }) => [['inbox', 'show', queued]],
  'inbox drain': () => [['inbox', 'drain', 'puller']],
  'inbox ack': ({ queued }) => [
    ['inbox', 'ack', queued],
    ['inbox', 'ack', 'msg_\u001b[2J'],
  ],
  assign: () => [['assign', 'worker', 'work']],
  handoff: () =>
    ['answered', 'unanswered', 'exited', 'dead', 'removed', 'elsewhere'].map((outcome) => [
      ...['handoff', 'worker', `outcome-${outcome}`],
    ]),
  explain: ({ open, queued }) => [
    ['explain', open],
    ['explain', queued],
  ],
  'dead-letters': group,
  'dead-letters list': () => [['dead-letters', 'list']],
  'dead-letters retry': ({ dead }) => [['dead-letters', 'retry', dead]],
  'dead-letters discard': ({ dead }) => [['dead-letters', 'discard', dead]],
  events: () => [['events']],
  logs: () => [['logs'], ['logs', 'worker']],
  profile: group,
  'profile list': () => [['profile', 'list']],
  // Without a terminal it consents to nothing, and says what it would have asked.
  trust: ({ home }) => [
    ['trust', home],
    ['trust', join(home, 'no\u001b[2J')],
    ['trust', '--list'],
  ],
  'profile show': () => [['profile', 'show', 'evil']],
  'profile validate': () => [['profile', 'validate']],
  'profile add': ({ home }) => [['profile', 'add', join(home, 'other.md'), '--replace']],
  'profile rm': () => [
    ['profile', 'rm', 'other'],
    ['profile', 'rm', 'no\u001b[2J'],
  ],
  detect: ({ home }) => [
    [
      'detect',
      '--provider',
      'claude',
      '--screen',
      join(home, 'screen'),
      '--title',
      '\u001b]0;x\u0007',
    ],
    ['detect', '--provider', 'claude'],
    ['detect', '--provider', 'claude', '--screen', '/no\u001b[2J'],
  ],
  mcp: { none: 'speaks JSON-RPC to a CLI; its tools have a walk of their own' },
  config: () => [['config']],
  'config path': () => [['config', 'path']],
  'config get': () => [
    ['config', 'get', 'terminal'],
    ['config', 'get', 'no\u001b[2J'],
  ],
  'config set': () => [['config', 'set', 'no\u001b[2J', 'x']],
  doctor: () => [['doctor'], ['doctor', '--fix']],
  demo: { none: 'its agents are our own programs; its screen is painted by codes of ours' },
  completion: () => [
    ['completion', 'bash'],
    ['completion', 'no\u001b[2J'],
  ],
};

/** A command may be refused or fail: what it says then counts as well. Nothing else than these may end it. */
const exits = [0, 1, 2, 3, 5, 7, 127];

test('rule 47: every command is in the walk', () => {
  const found: string[] = [];
  const visit = (command: Command, path: string): void => {
    for (const child of command.commands) {
      const name = `${path}${child.name()}`;
      found.push(name);
      visit(child, `${name} `);
    }
  };
  visit(createProgram([]), '');
  expect(Object.keys(walks).toSorted()).toEqual(found.toSorted());
});

const inTerminal = [
  'bash',
  '-c',
  'command=$(printf "%q " "$@"); SHELL=/bin/bash exec script -qec "$command" /dev/null',
  'bash',
];
const hasScript = hasCommand('script');
/** The colours that `paint` knows, and the line ends of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what it looks for
const ours = /\u001b\[(?:[012]|3[1-6])m|\r(?=\n)/g;

describe.each([
  ['into a pipe', [], undefined],
  ['as a document', ['--json'], undefined],
  ['on a terminal', [], inTerminal],
] as const)('rule 47: with hostile texts in every field, %s', (how, more, wrapper) => {
  test.skipIf(wrapper !== undefined && !hasScript)(
    'no command passes a control or hidden character on, and no fact begins a line',
    async () => {
      const world = await openHostileWorld();
      const problems: string[] = [];
      let runs = 0;
      let all = '';
      const options = { env: { PATH: `${world.bin}:${process.env['PATH']}` } };
      for (const args of Object.values(walks).flatMap((walk) => listRuns(walk, world))) {
        // What stands behind -- is another program's.
        const [own, ...tail] = splitTail(args);
        const given = { ...options, ...(wrapper ? { wrapper } : {}) };
        const { code, stdout, stderr } = await world.run([...own, ...more, ...tail], given);
        runs++;
        all += stdout + stderr;
        const what = `${how}: ${own.join(' ')}`;
        if (!exits.includes(code ?? -1)) problems.push(`${what}: ended with ${code}, ${stderr}`);
        const shown = wrapper ? stdout.replaceAll(ours, '') : stdout;
        const isRaw = args[0] === 'logs' && args[1] === 'worker' && how === 'into a pipe';
        if (!isRaw) problems.push(...findProblems(what, shown, blocks));
        problems.push(...findProblems(`${what}, stderr`, stderr, []));
        if (more.length > 0 && !isJson(stdout)) problems.push(`${what}: no document`);
      }
      const fields = [...world.hostile.fields];
      const seen = fields.filter((field) => all.includes(field));
      process.stdout.write(
        `hostile texts ${how}: ${runs} runs, ${fields.length} fields, ${seen.length} of them shown\n`,
      );
      expect(problems).toEqual([]);
      // A walk that shows nothing proves nothing.
      expect(fields.length).toBeGreaterThan(90);
      expect(seen.length).toBeGreaterThan(70);
    },
  );
});

function listRuns(walk: Walk, world: HostileWorld): readonly (readonly string[])[] {
  return typeof walk === 'function' ? walk(world) : [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // It is none.
    return false;
  }
}

function splitTail(args: readonly string[]): readonly [readonly string[], ...string[]] {
  const at = args.indexOf('--');
  return at < 0 ? [args] : [args.slice(0, at), ...args.slice(at)];
}

describe('rule 47: what is followed', () => {
  test('every kind of event is shown, as text and as documents', async () => {
    const world = await openHostileWorld();
    for (const more of [[], ['--json']]) {
      const wrapper = ['timeout', '-s', 'INT', '5'];
      const { stdout, stderr } = await world.run(['events', '--follow', ...more], { wrapper });
      expect([stdout, stderr]).toEqual([expect.stringContaining('.exited'), expect.anything()]);
      expect(findProblems(`events --follow ${more}`, stdout, [])).toEqual([]);
    }
  });

  test.skipIf(!hasScript)(
    'output --follow gives a terminal text, and bytes with --raw or to a pipe',
    async () => {
      const world = await openHostileWorld();
      const wrapper = inTerminal;
      const { stdout } = await world.run(['output', 'worker', '--follow'], { wrapper });
      const shown = stdout.replaceAll('\r\n', '\n');
      expect(findProblems('output --follow', shown, blocks)).toEqual([]);
      expect(stdout).toContain('output.bytes');
      expect(stdout).not.toContain('52;c;');
      const raw = await world.run(['output', 'worker', '--follow', '--raw'], { wrapper });
      expect(raw.stdout).toContain('\u001b]52;c;cHduZWQ=\u0007');
      const piped = await world.run(['output', 'worker', '--follow']);
      expect(piped.stdout).toContain('\u001b]52;c;cHduZWQ=\u0007');
      const logs = await world.run(['logs', 'worker', '--raw'], { wrapper });
      expect(logs.stdout).toContain('\u001b]52;c;cHduZWQ=\u0007');
    },
  );
});
