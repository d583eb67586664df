import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { cellWidth } from '../shared/cell-width.ts';
import { commandGroups } from './help.ts';
import { createProgram } from './program.ts';

/** What `--help` prints in a terminal of so many columns. */
function help(command: Command, columns: number): string {
  let printed = '';
  const writeOut = (text: string): void => {
    printed += text;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => columns });
  command.outputHelp();
  return printed;
}

function listAll(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listAll)];
}

const all = listAll(createProgram([]));
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

test('the help of the program begins with launch, send and ls, in groups that have every command once', () => {
  const program = createProgram([]);
  const lines = help(program, 80).split('\n');
  const terms = lines.flatMap((line) => /^ {2}([a-z-]+) {2}/.exec(line)?.[1] ?? []);
  expect(terms.slice(0, 3)).toEqual(['launch', 'send', 'ls']);
  const names = [...program.commands.map((command) => command.name()), 'help'];
  expect(terms.toSorted()).toEqual(names.toSorted());
  expect(terms).toEqual(Object.values(commandGroups).flat());
  expect(lines.filter((line) => line in commandGroups)).toEqual(Object.keys(commandGroups));
});

test.each([60, 80])('in %i columns a terminal breaks no word of any help', (columns) => {
  const wide = all.flatMap((command) =>
    help(command, columns)
      .split('\n')
      // A command line is never broken by us: it can be pasted.
      .filter((line) => !/^ {2}\$ |^Usage: /.test(line) && cellWidth(line) > columns)
      .map((line) => `${pathOf(command)}: ${line}`),
  );
  expect(wide).toEqual([]);
});

test('the examples of the program itself fit 80 columns', () => {
  const wide = help(createProgram([]), 80)
    .split('\n')
    .filter((line) => cellWidth(line) > 80);
  expect(wide).toEqual([]);
});

test('no help shows a default that is empty', () => {
  const empty = all.filter((command) => /\(default: *(\[\]|""|)\)/.test(help(command, 1000)));
  expect(empty.map(pathOf)).toEqual([]);
});

test('rule 48: the help of each command that may wait without end says so', () => {
  const endless: Readonly<Record<string, RegExp>> = {
    handoff: /however long that takes[\s\S]*--timeout <span> .*\(else never\)/,
    'run-task': /however long it takes/,
    attach: /leave it with/,
    ls: /--watch .*until you interrupt it/,
    attention: /--watch .*until you interrupt it/,
    events: /--follow .*until you interrupt it/,
    logs: /--follow .*until you interrupt it/,
    output: /--follow .*until you interrupt it/,
    up: /--foreground .*until you interrupt it/,
    mcp: /until it closes/,
  };
  const program = createProgram([]);
  for (const [name, said] of Object.entries(endless)) {
    const command = program.commands.find((one) => one.name() === name);
    expect(command && help(command, 1000), name).toMatch(said);
  }
});
