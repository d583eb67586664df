import { type Command, InvalidArgumentError, Option } from 'commander';
import { terminalChoices } from '../../config/setting-definitions.ts';
import { parseSpan } from '../../shared/units.ts';

/** Every command takes it: one document on stdout, nothing else there. */
export function jsonOption(command: Command): Command {
  return command.option('--json', 'print one JSON document on stdout');
}

/** B1: before the environment, config.yaml and the default. */
export function terminalOption(command: Command, about: string): Command {
  return command.addOption(new Option('--terminal <backend>', about).choices(terminalChoices));
}

const examples = new WeakMap<Command, readonly string[]>();

export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}

export function example(command: Command, ...lines: readonly string[]): Command {
  examples.set(command, lines);
  const text = lines.map((line) => `  $ ${line}`).join('\n');
  return command.addHelpText('after', `\nExample${lines.length > 1 ? 's' : ''}:\n${text}`);
}

/** For an option that may be given several times. */
export function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function parseCount(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('Give a whole number from 1.');
}

export function parseSpanOption(text: string): number {
  const ms = parseSpan(text);
  if (ms !== undefined && ms > 0) return ms;
  const [number] = /^\d+(\.\d+)?$/.exec(text.trim()) ?? [];
  throw new InvalidArgumentError(
    Number(number) > 0
      ? `It has no unit: write ${number}s, ${number}m, ${number}h or ${number}d.`
      : 'Give a span such as 90s, 30m, 1h or 2d.',
  );
}
