import type { Argument, Command, Option } from 'commander';

/** What may stand where the cursor is. */
export interface Wanted {
  /** Words of the program itself: commands, options, choices. */
  readonly words: readonly { readonly word: string; readonly about: string }[];
  /** What else is looked up: the name of a placeholder, such as `agent`. */
  readonly placeholder?: string;
  /** The command it stands in: `config get`. */
  readonly path: string;
  /** How its word begins, as far as it was typed. */
  readonly typed: string;
  /** Stands before it in the same word: `--session=`. */
  readonly before: string;
}

/**
 * Reads a command line up to the cursor by the program itself, so that it can never be out of date.
 * The last word is the one that is being typed, and may be empty.
 */
export function findWanted(program: Command, line: readonly string[]): Wanted {
  const words = joinEquals(line);
  const current = words.at(-1) ?? '';
  const place = walk(program, words.slice(0, -1));
  const { command, path } = place;
  const wanted = { words: [], path, typed: current, before: '' };
  if (place.isTail) return { ...wanted, placeholder: 'tail' };
  if (place.open) return { ...wanted, ...describeValue(place.open) };
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const given = name === undefined ? undefined : findOption(command, name);
  if (given && value !== undefined) {
    return { ...wanted, ...describeValue(given), typed: value, before: `${name}=` };
  }
  if (current.startsWith('-') && !place.isOperand)
    return { ...wanted, words: listOptions(command) };
  if (command.commands.length > 0) {
    return place.operands === 0 ? { ...wanted, words: listCommands(command) } : wanted;
  }
  const argument = findArgument(command, place.operands);
  if (argument) return { ...wanted, ...describeValue(argument) };
  return place.isOperand ? wanted : { ...wanted, words: listOptions(command) };
}

/** bash takes `--a=b` apart into three words. */
function joinEquals(line: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [at, word] of line.entries()) {
    const isGlued = word === '=' || (line[at - 1] === '=' && at > 1);
    const last = joined.at(-1);
    if (isGlued && last?.startsWith('--')) joined[joined.length - 1] = `${last}${word}`;
    else joined.push(word);
  }
  return joined;
}

interface Place {
  readonly command: Command;
  readonly path: string;
  /** How many operands of it were given. */
  readonly operands: number;
  /** An option whose value comes next. */
  readonly open?: Option;
  /** After `--`. */
  readonly isOperand: boolean;
  /** After `--` of a command that runs another program. */
  readonly isTail: boolean;
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program;
  const path: string[] = [];
  let operands = 0;
  let open: Option | undefined;
  let isOperand = false;
  for (const word of words) {
    if (open) {
      open = undefined;
    } else if (!isOperand && word === '--') {
      isOperand = true;
    } else if (!isOperand && word.startsWith('-')) {
      const option = findOption(command, word);
      if (option?.required) open = option;
    } else {
      const child = isOperand ? undefined : findCommand(command, word);
      if (child) path.push(child.name());
      else operands++;
      command = child ?? command;
    }
  }
  const isTail = isOperand && runners.has(path.join(' '));
  return { command, path: path.join(' '), operands, ...(open ? { open } : {}), isOperand, isTail };
}

const runners = new Set(['launch', 'run-task']);

function findCommand(command: Command, word: string): Command | undefined {
  return command.commands.find((child) => [child.name(), ...child.aliases()].includes(word));
}

function findOption(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => word === long || word === short);
}

/** The last one may stand for any number of them. */
function findArgument({ registeredArguments }: Command, at: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[at] ?? (last?.variadic ? last : undefined);
}

function describeValue(of: Option | Argument): Pick<Wanted, 'words' | 'placeholder'> {
  if (of.argChoices) return { words: of.argChoices.map((word) => ({ word, about: '' })) };
  const flags = 'flags' in of ? (/[<[]([^>\]]+)[>\]]/.exec(of.flags)?.[1] ?? '') : of.name();
  return { words: [], placeholder: flags };
}

function listCommands(command: Command) {
  return command.commands.map((child) => ({ word: child.name(), about: child.description() }));
}

function listOptions(command: Command) {
  const own = command.options.map((option) => ({
    word: option.long ?? option.flags,
    about: option.description,
  }));
  return [...own, { word: '--help', about: 'help with an example' }];
}
