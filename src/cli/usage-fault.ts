import type { Command, CommanderError } from 'commander';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import { examplesOf } from './commands/options.ts';

/**
 * What commander found wrong with the words of a command line, told as every other error is: what
 * it is about, and what to write instead. Commander tells by a code what happened, and the facts
 * only within its sentence.
 */
export function explainUsage(
  error: CommanderError,
  program: Command,
  args: readonly string[],
): Fault {
  const command = findCommand(program, args);
  if (args[0] === 'help' && args[1] !== undefined) {
    const { what, next } = tellUnknown(args[1], program, undefined);
    return new Fault('usage', what, next, { cause: error });
  }
  const { what, next } = tellers[error.code]?.(error.message, command) ?? tellOther(error, command);
  return new Fault('usage', what, next, { cause: error });
}

interface Told {
  readonly what: string;
  readonly next: string;
}

type Teller = (message: string, command: Command) => Told;

const tellers: Readonly<Record<string, Teller>> = {
  'commander.unknownCommand': (message, command) =>
    tellUnknown(take(message, /unknown command '(.*)'/), command, findHint(message)),
  'commander.unknownOption': (message, command) => {
    const option = take(message, /unknown option '(.*)'/);
    const hint = option === '-v' ? '--version' : findHint(message);
    return {
      what: `\`${nameOf(command)}\` has no option ${quote(option, 40)}.`,
      next: `${hint === undefined ? '' : `Did you mean ${hint}? `}${seeHelp(command)}`,
    };
  },
  'commander.missingArgument': (message, command) => ({
    what: `\`${nameOf(command)}\` needs <${take(message, /argument '(.*)'/)}>.`,
    next: `${showExample(command)}${seeHelp(command)}`,
  }),
  'commander.missingMandatoryOptionValue': (message, command) => ({
    what: `\`${nameOf(command)}\` needs ${take(message, /option '(.*)'/)}.`,
    next: `${showExample(command)}${seeHelp(command)}`,
  }),
  'commander.optionMissingArgument': (message, command) => {
    const flags = take(message, /option '(.*)'/);
    const option = command.options.find((one) => one.flags === flags);
    const { argChoices } = option ?? {};
    return argChoices
      ? {
          what: `${option?.long} needs one of ${argChoices.join(', ')}.`,
          next: `For example \`${option?.long} ${argChoices.at(-1)}\`.`,
        }
      : { what: `${option?.long ?? flags} needs a value: ${flags}.`, next: seeHelp(command) };
  },
  'commander.invalidArgument': (message, command) => {
    const found = patterns.map((pattern) => pattern.exec(message)?.groups).find(Boolean);
    const { name = '', value = '', why = '' } = found ?? {};
    if (!found) return tellOther({ message }, command);
    const choices = /^Allowed choices are (.*)\.$/s.exec(why)?.[1];
    return {
      what: `${quote(value, 40)} is no value for ${name.split(/[ ,]/, 1)[0]}.`,
      next: choices === undefined ? why : `Give one of ${choices}.`,
    };
  },
  'commander.excessArguments': (message, command) => {
    const [most = 0, got = 0] = (message.match(/\d+/g) ?? []).map(Number);
    const [word] = command.args;
    if (command.commands.length > 0) return tellUnknown(word ?? '', command, undefined);
    const takes =
      most === 0 ? 'no arguments' : `${most === 1 ? 'one argument' : `${most} arguments`}`;
    const extra = command.args[most];
    const which = extra === undefined ? '' : `: ${quote(extra, 40)} is one too many`;
    return {
      what: `\`${nameOf(command)}\` takes ${takes}, and got ${got}${which}.`,
      next: seeHelp(command),
    };
  },
};

const patterns = [
  /^error: option '(?<name>.*?)' argument '(?<value>.*)' is invalid\. (?<why>.*)$/s,
  /^error: command-argument value '(?<value>.*)' is invalid for argument '(?<name>.*?)'\. (?<why>.*)$/s,
];

function tellUnknown(name: string, group: Command, hint: string | undefined): Told {
  const where = group.parent ? ` in \`${nameOf(group)}\`` : '';
  const next = hint === undefined ? '' : `Did you mean \`${nameOf(group)} ${hint}\`? `;
  return { what: `There is no command ${quote(name, 40)}${where}.`, next: next + seeHelp(group) };
}

/** A group, such as `inbox`, without one of its commands; and what commander may yet find. */
function tellOther({ message }: Pick<Error, 'message'>, command: Command): Told {
  const names = command.commands.map((one) => one.name());
  if (message === '(outputHelp)' && command.parent && names.length > 0) {
    const name = nameOf(command);
    return {
      what: `\`${name}\` needs one of its commands: ${names.join(', ')}.`,
      next: `Try \`${name} ${names[0]}\`; \`${name} --help\` explains all of them.`,
    };
  }
  const said = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  const what = said.charAt(0).toUpperCase() + said.slice(1);
  return { what: /[.!?)]$/.test(what) ? what : `${what}.`, next: seeHelp(command) };
}

/** The command that was meant, as far as the words name one. */
function findCommand(program: Command, args: readonly string[]): Command {
  const [first, second] = args;
  const named = (within: Command, name: string | undefined): Command | undefined =>
    within.commands.find((one) => one.name() === name || one.aliases().includes(name ?? ''));
  const command = named(program, first);
  return (command && named(command, second)) ?? command ?? program;
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function seeHelp(command: Command): string {
  return `See \`${nameOf(command)} --help\`.`;
}

function showExample(command: Command): string {
  const first = examplesOf(command).find((line) => line.startsWith('signalbox '));
  return first === undefined ? '' : `For example \`${first}\`. `;
}

function take(message: string, pattern: RegExp): string {
  return pattern.exec(message)?.[1] ?? '';
}

/** What commander takes for the word that was meant. */
function findHint(message: string): string | undefined {
  return /\(Did you mean (?:one of )?([^,?]+)/.exec(message)?.[1];
}
