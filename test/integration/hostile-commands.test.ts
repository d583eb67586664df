import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { findProblems } from '../support/hostile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { blocks, isJson, listRuns, walks } from './fixtures/hostile-walks.ts';
import { openHostileWorld } from './fixtures/hostile-world.ts';

/**
 * A command may be refused or fail: what it says then counts as well. Nothing else than these may
 * end it.
 */
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
/** The colours that `paint` knows, a line of progress erased, and the line ends of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what it looks for
const ours = /\u001b\[(?:(?:[012]|3[1-6])m|G\u001b\[K)|\r(?=\n)/g;

const ways = [
  ['on a terminal', [], inTerminal],
  ['into a pipe', [], undefined],
  ['as a document', ['--json'], undefined],
] as const;

describe.each(ways)(
  'rule 47: with hostile texts in every field, %s',
  { tags: ['full'] },
  (how, more, wrapper) => {
    test.skipIf(wrapper !== undefined && !hasScript)(
      'no command passes a control or hidden character on, and no fact begins a line',
      async () => {
        const world = await openHostileWorld();
        const problems: string[] = [];
        let runs = 0;
        let all = '';
        const options = { env: { PATH: `${world.bin}:${process.env['PATH']}` } };
        for (const { own, tail } of listRuns(world)) {
          const given = { ...options, ...(wrapper ? { wrapper } : {}) };
          const { code, stdout, stderr } = await world.run([...own, ...more, ...tail], given);
          runs++;
          all += stdout + stderr;
          const what = `${how}: ${own.join(' ')}`;
          if (!exits.includes(code ?? -1)) problems.push(`${what}: ended with ${code}, ${stderr}`);
          const shown = wrapper ? stdout.replaceAll(ours, '') : stdout;
          const isRaw = own[0] === 'logs' && own[1] === 'worker' && how === 'into a pipe';
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
  },
);

describe('rule 47: what is followed', () => {
  test('every kind of event is shown, as text and as documents', async () => {
    const world = await openHostileWorld();
    for (const more of [[], ['--json']]) {
      const child = start(['events', '--follow', ...more], { home: world.home });
      const ended = waitForEnd(child);
      let shown = '';
      child.stdout?.on('data', (bytes: Buffer) => {
        shown += bytes;
      });
      await waitUntil('the end of an agent', () => shown.includes('.exited'));
      child.kill('SIGINT');
      const { stdout, stderr } = await ended;
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
