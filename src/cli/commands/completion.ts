import type { Command } from 'commander';
import type { CompletionScript } from '../../protocol/printed.ts';
import { Fault } from '../../shared/fault.ts';
import { writeJson, writeOut } from '../output.ts';
import { example, jsonOption } from './options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion <shell>')
    .description(`print a completion script for ${shells.join(', ')}`);
  jsonOption(command);
  example(command, 'source <(signalbox completion bash)');
  command.action((shell: string, options: { json?: true }) => {
    if (!(shells as readonly string[]).includes(shell)) {
      throw new Fault(
        'usage',
        `There is no completion script for "${shell}".`,
        `Shells are ${shells.join(', ')}.`,
      );
    }
    const script = writers[shell as Shell](listWords(program));
    return options.json ? writeJson<CompletionScript>({ shell, script }) : writeOut(script);
  });
}

/**
 * What may follow each command path, read off the program itself so that it can never be out of
 * date.
 */
interface Words {
  readonly path: string;
  readonly next: readonly { readonly word: string; readonly about: string }[];
}

function listWords(program: Command): readonly Words[] {
  const found: Words[] = [];
  const visit = (command: Command, path: string): void => {
    const next = [
      ...command.commands.map((child) => ({ word: child.name(), about: child.description() })),
      ...command.options.map((o) => ({ word: o.long ?? o.flags, about: o.description })),
      { word: '--help', about: 'help with an example' },
    ];
    found.push({ path, next });
    for (const child of command.commands)
      visit(child, path ? `${path} ${child.name()}` : child.name());
  };
  visit(program, '');
  return found;
}

const writers: Readonly<Record<Shell, (words: readonly Words[]) => string>> = {
  bash: (words) => `_signalbox() {
  local path="" word next
  local paths="${words.map(({ path }) => `|${path}`).join('')}|"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$paths" in *"|$next|"*) path="$next" ;; esac
  done
  case "$path" in
${words.map(bashCase).join('\n')}
  esac
}
complete -F _signalbox signalbox sbx
`,
  zsh: (words) => `#compdef signalbox sbx
autoload -U +X bashcompinit && bashcompinit
${writers.bash(words)}`,
  fish: (words) =>
    words
      .flatMap(({ path, next }) =>
        next.map(({ word, about }) => fishLine(path, word, about, words)),
      )
      .join(''),
};

function bashCase({ path, next }: Words): string {
  const list = next.map(({ word }) => word).join(' ');
  return `    "${path}") COMPREPLY=($(compgen -W "${list}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`;
}

function fishLine(path: string, word: string, about: string, words: readonly Words[]): string {
  const children = words
    .filter((other) => other.path.startsWith(path ? `${path} ` : '') && other.path !== path)
    .map((other) => other.path.slice(path ? path.length + 1 : 0))
    .filter((rest) => rest !== '' && !rest.includes(' '));
  const seen = path.split(' ').filter(Boolean);
  const terms = [
    ...seen.map((part) => `__fish_seen_subcommand_from ${part}`),
    ...(children.length > 0 ? [`not __fish_seen_subcommand_from ${children.join(' ')}`] : []),
  ];
  const condition = terms.length > 0 ? ` -n '${terms.join('; and ')}'` : '';
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
  const text = about.replaceAll("'", "\\'");
  return ['signalbox', 'sbx']
    .map((name) => `complete -c ${name} -f${condition} ${what} -d '${text}'\n`)
    .join('');
}
