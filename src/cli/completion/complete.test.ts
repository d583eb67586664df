import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { complete, type LookUp } from './complete.ts';
import { findSources } from './sources.ts';

const names = {
  agents: ['worker', 'lead'],
  providers: ['claude-code', 'codex'],
  profiles: ['reviewer'],
  sessions: ['default', 'shop'],
};
const lookUp: LookUp = async (source) => names[source].map((word) => ({ word, about: source }));

/** What a press of TAB after these words offers. */
async function press(line: string): Promise<string> {
  const { offers, paths } = await complete(createProgram([]), line.split(' ').slice(1), lookUp);
  return [...offers.map(({ word }) => word), ...(paths ? [`:${paths}`] : [])].join(' ');
}

test.each([
  ['signalbox in', 'interrupt inbox'],
  ['signalbox inbox ', 'list show drain ack'],
  ['signalbox inbox dr', 'drain'],
  ['signalbox inbox drain --j', '--json'],
  ['signalbox send ', 'worker lead'],
  ['signalbox send w', 'worker'],
  ['signalbox send worker ', ''],
  ['signalbox send --u', '--urgent'],
  ['signalbox send worker --wait ', 'injected seen acked'],
  ['signalbox send worker --wait=s', '--wait=seen'],
  ['signalbox send worker --wait = s', 'seen'],
  ['signalbox send worker --wait =', 'injected seen acked'],
  ['signalbox send --file ', ':files'],
  ['signalbox send -- --u', ''],
  ['signalbox stop worker ', 'worker lead'],
  ['signalbox ls --session s', 'shop'],
  ['signalbox launch c', 'claude-code codex'],
  ['signalbox launch --cwd ', ':folders'],
  ['signalbox launch generic -- ', ':files'],
  ['signalbox run-task -- ma', ':files'],
  ['signalbox assign re', 'reviewer'],
  ['signalbox profile show ', 'reviewer'],
  ['signalbox profile add ', ':files'],
  ['signalbox config get termi', 'terminal'],
  ['signalbox completion ', 'bash zsh fish'],
  ['signalbox up --terminal ', 'tmux herdr'],
  ['signalbox nothing-like-it', ''],
  ['signalbox nothing-like-it x', ''],
])('%s', async (line, offered) => {
  expect(await press(line)).toBe(offered);
});

test('every command is offered, and every placeholder of a help text has a source, or none on purpose', async () => {
  const missing: string[] = [];
  const visit = (command: Command, path: string): void => {
    const values = [
      ...command.registeredArguments.map((one) => ({ name: one.name(), isListed: one.argChoices })),
      ...command.options
        .filter(({ required }) => required)
        .map(({ flags, argChoices }) => ({
          name: /<([^>]+)>/.exec(flags)?.[1] ?? '',
          isListed: argChoices,
        })),
    ];
    for (const { name, isListed } of values) {
      const wanted = { path, placeholder: name, words: [], typed: '', before: '' };
      if (!isListed && !findSources(wanted)) missing.push(`${path} <${name}>`);
    }
    for (const child of command.commands) visit(child, `${path} ${child.name()}`.trim());
  };
  const program = createProgram([]);
  visit(program, '');
  expect(missing).toEqual([]);
  const top = (await press('signalbox ')).split(' ');
  expect(top).toEqual(program.commands.map((command) => command.name()));
});
