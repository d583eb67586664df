import { type Command, Help } from 'commander';
import { columnsOf, fold } from './fold.ts';

/** The commands as `--help` lists them: first those with which a day begins. */
export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  'Run agents:': [
    ...['launch', 'send', 'ls', 'attention', 'dashboard', 'answer', 'attach', 'status', 'output'],
    ...['interrupt', 'stop', 'restart', 'rm'],
  ],
  'Give work:': ['handoff', 'assign', 'run-task'],
  'Follow messages:': ['inbox', 'explain', 'cancel', 'dead-letters', 'events'],
  'Get to know it:': ['demo', 'help'],
  'Set it up:': ['config', 'profile', 'trust', 'completion', 'tmux-status'],
  'Look after it:': ['doctor', 'health', 'up', 'down', 'logs', 'uninstall'],
  'Build on it:': ['agents', 'mcp', 'detect'],
};

/** Wider lines are hard to read. */
const mostColumns = 100;
/** Of a pipe or a file. */
const usualColumns = 80;
/** With less beside the names commander leaves descriptions to the terminal, which breaks words. */
const leastBeside = 20;

/** Every command below it takes this over: it is called before they are added. */
export function shapeHelp(program: Command): Command {
  return program.configureOutput({ getOutHelpWidth: helpWidth }).configureHelp({
    minWidthToWrap: leastBeside,
    visibleCommands: listInOrder,
    groupItems: groupInOrder,
    // The program itself begins with its commands, and a remark names the two options.
    visibleOptions(command) {
      return command.parent ? Help.prototype.visibleOptions.call(this, command) : [];
    },
    subcommandTerm: describeTerm,
  });
}

/** Commander calls it for the program and for each group of commands. */
function listInOrder(this: Help, parent: Command): Command[] {
  const listed = Help.prototype.visibleCommands.call(this, parent);
  if (parent.parent) return listed;
  const names = Object.values(commandGroups).flat();
  for (const [heading, members] of Object.entries(commandGroups)) {
    for (const command of listed) {
      if (members.includes(command.name())) command.helpGroup(heading);
    }
  }
  return listed.toSorted((a, b) => names.indexOf(a.name()) - names.indexOf(b.name()));
}

/** In the order of the list: commander has the groups in the order in which items were added. */
function groupInOrder<Item>(
  _added: Item[],
  listed: Item[],
  groupOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of listed) {
    const heading = groupOf(item);
    groups.set(heading, [...(groups.get(heading) ?? []), item]);
  }
  return groups;
}

/** A command's own help has its arguments and options: here they would take half of the line. */
function describeTerm(command: Command): string {
  if (!command.parent?.parent) return command.name();
  return `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trim();
}

function helpWidth(): number {
  return Math.min(columnsOf(1) ?? usualColumns, mostColumns);
}

/** Sentences below the lists; each text begins a line. */
export function remark(command: Command, ...texts: readonly string[]): Command {
  return command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? usualColumns;
    return `\n${texts.flatMap((text) => fold(text, width)).join('\n')}`;
  });
}
