/**
 * What a person wrote after `--` wins over what we would say. These read such a list of arguments
 * the way most parsers do: `--name value`, `--name=value`, `-n value`, and nothing after a bare
 * `--`.
 */

export function hasOption(args: readonly string[], names: readonly string[]): boolean {
  return optionsOf(args).some((arg) => names.includes(nameOf(arg)));
}

export function findOption(args: readonly string[], names: readonly string[]): string | undefined {
  const options = optionsOf(args);
  const at = options.findIndex((arg) => names.includes(nameOf(arg)));
  const arg = options[at];
  if (arg === undefined) return undefined;
  return arg.startsWith('--') && arg.includes('=')
    ? arg.slice(arg.indexOf('=') + 1)
    : options[at + 1];
}

/** Without these options, and without the values that follow those `withValue`. */
export function dropOptions(
  args: readonly string[],
  names: readonly string[],
  withValue: readonly string[] = names,
): readonly string[] {
  const count = optionsOf(args).length;
  return args.filter((arg, at) => {
    if (at >= count) return true;
    const before = args[at - 1];
    const isValue = before !== undefined && withValue.includes(before) && !arg.startsWith('-');
    return !isValue && !names.includes(nameOf(arg));
  });
}

function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function nameOf(arg: string): string {
  return arg.startsWith('--') ? (arg.split('=', 1)[0] ?? arg) : arg;
}

/**
 * Without the words at the end, which are a first prompt: what a person asked for once is not asked
 * for again by a restart. The word after an option may be its value and stays, unless the option is
 * a `switches`.
 */
export function dropPrompt(
  args: readonly string[],
  switches: readonly string[] = [],
): readonly string[] {
  const separator = args.indexOf('--');
  const own = separator < 0 ? args : args.slice(0, separator);
  const last = own.findLastIndex((arg) => arg.startsWith('-'));
  const option = own[last];
  const mayHaveValue = option !== undefined && !option.includes('=') && !switches.includes(option);
  return own.slice(0, last + (mayHaveValue ? 2 : 1));
}
