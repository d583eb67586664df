import type { Command, Option } from 'commander';
import { commandGroups } from '../../src/cli/help.ts';
import { createProgram, exitCodeMeanings } from '../../src/cli/program.ts';
import { exitCodes } from '../../src/shared/fault.ts';

/** docs/commands.md, from the program itself: the same texts that `--help` prints. */
export function writeCommandPage(): string {
  const program = createProgram([]);
  const groups = Object.entries(commandGroups).map(([heading, names]) => ({
    heading,
    commands: names.flatMap((name) => program.commands.find((one) => one.name() === name) ?? []),
  }));
  const sections = [
    opening,
    ['## All commands', ...groups.map(writeGroup)].join('\n\n'),
    writeExitCodes(),
    ['## In general', ...writeNotes(program)].join('\n\n'),
    ...groups.flatMap(({ commands }) => commands.map((command) => writeCommand(command, '##'))),
  ];
  return `${sections.join('\n\n')}\n`;
}

const opening = `# Commands

Every command of \`signalbox\`, as \`--help\` shows it. \`npm run docs:commands\` writes this page from the program, and a test fails when the two
differ. For what the commands are good for, begin with [getting started](getting-started.md); settings and files are in
[operations](operations.md).`;

interface Group {
  readonly heading: string;
  readonly commands: readonly Command[];
}

function writeGroup({ heading, commands }: Group): string {
  const list = commands.flatMap((command) => [command, ...command.commands]);
  return `${heading}\n\n${list.map(writeEntry).join('\n')}`;
}

function writeEntry(command: Command): string {
  const path = pathOf(command);
  const indent = path.split(' ').length > 2 ? '  ' : '';
  const name = path.replace('signalbox ', '');
  return `${indent}- [${name}](#${path.replaceAll(' ', '-')}): ${prose(command.description())}`;
}

function writeExitCodes(): string {
  const lines = exitCodeMeanings.map((meaning, code) => {
    const faults = Object.entries(exitCodes).filter(([, its]) => its === code);
    const named = faults.map(([fault]) => `\`${fault}\``).join(', ');
    return `- ${code}: ${meaning}${named ? ` (${named})` : ''}`;
  });
  return `## Exit codes

With \`--json\`, \`error.code\` has one of the words in brackets. [Operations](operations.md#exit-codes) says what the exit codes mean for
\`handoff\` and \`send --wait\`.

${lines.join('\n')}`;
}

function writeCommand(command: Command, heading: string): string {
  const { registeredArguments, options } = command;
  const told = registeredArguments.filter(({ description }) => description !== '');
  const lists = [
    told.map((one) => `- \`${one.name()}\`: ${prose(one.description)}`),
    options.map(writeOption),
  ].filter((lines) => lines.length > 0);
  return [
    `${heading} ${pathOf(command)}`,
    sentence(prose(command.description())),
    `\`\`\`text\n${writeUsage(command)}\n\`\`\``,
    ...lists.map((lines) => lines.join('\n')),
    ...writeNotes(command),
    ...command.commands.map((child) => writeCommand(child, `${heading}#`)),
  ].join('\n\n');
}

function writeUsage(command: Command): string {
  const names = command.aliases().map((name) => `\n       ${pathOf(command.parent)} ${name}`);
  return `Usage: ${pathOf(command)} ${command.usage()}${names.join('')}`;
}

function writeOption(option: Option): string {
  const { flags, description, argChoices, defaultValue, negate } = option;
  const choices = argChoices?.map((choice) => `\`${choice}\``).join(', ');
  const isShown = defaultValue !== undefined && !negate && !Array.isArray(defaultValue);
  return [
    `- \`${flags}\`: ${prose(description)}`,
    ...(choices ? [`one of ${choices}`] : []),
    ...(isShown ? [`default: \`${option.defaultValueDescription ?? defaultValue}\``] : []),
  ].join('; ');
}

/**
 * What `--help` prints after its lists: examples, as they are typed, and prose. The exit codes have
 * a section of their own.
 */
function writeNotes(command: Command): readonly string[] {
  let printed = '';
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    // Each remark is one line.
    getOutHelpWidth: () => 10_000,
  });
  command.outputHelp();
  const notes = printed.slice(command.helpInformation().length).split('\n');
  const parts: { isTyped: boolean; lines: string[] }[] = [];
  for (const line of notes.filter((one) => !/^(\s*$|Exit codes: )/.test(one))) {
    const isTyped = line.startsWith('  $ ');
    if (parts.at(-1)?.isTyped !== isTyped) parts.push({ isTyped, lines: [] });
    parts.at(-1)?.lines.push(isTyped ? line.trim() : prose(line));
  }
  return parts.map(({ isTyped, lines }) =>
    isTyped ? `\`\`\`sh\n${lines.join('\n')}\n\`\`\`` : lines.join('\n'),
  );
}

function pathOf(command: Command | null): string {
  return command ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

/** In Markdown `<file>` would be an element, and stars would make letters bold. */
function prose(text: string): string {
  return text.replaceAll(/[<*]/g, '\\$&');
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
