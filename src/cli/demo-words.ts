import type { StoryEvent, Victim } from '../demo/moment.ts';
import { shellWord } from '../shared/shell-word.ts';
import { inLine } from './output.ts';
import { paint, type Style } from './screen-codes.ts';

/** The lines for one event of the story, none of them wider than `columns` but for a command. */
export function describeEvent(event: StoryEvent, atMs: number, columns: number): readonly string[] {
  const say = (sign: string, style: Style, text: string, name = ''): readonly string[] =>
    formatLines({ atMs, sign: paint(style, sign), name, text }, columns);
  switch (event.what) {
    case 'opened':
      return [
        '',
        `  ${paint('bold', 'signalbox demo')}`,
        ...wrap(plot, columns - 2).map((line) => `  ${line}`),
        '',
        ...wrap(invitation, columns - 2).map((line) => `  ${paint('dim', line)}`),
        `  ${command(event.home, 'attach supervisor')}`,
        '',
      ];
    case 'told':
      return say(' ', 'dim', inLine(event.text), nameOf(event.agent));
    case 'killed':
      return say('✗', 'red', `kill -9 ${event.pid}: ${event.name}`);
    case 'recovered': {
      const { outcome, how, ms } = event.recovery;
      return outcome === 'recovered'
        ? say('✓', 'green', `${how} (${formatMs(ms)})`)
        : say('!', 'red', `not recovered: ${how}`);
    }
  }
}

const plot =
  'A supervisor and three workers in tmux; a worker and the daemon are killed with -9 while they work.';
const invitation = 'Look for yourself while it runs, in another terminal (Ctrl-] leaves):';

/** The user is whoever reads this. */
export function nameOf(agent: string): string {
  return agent === 'user' ? 'you' : agent;
}

/** What does not fit stands below its own beginning. */
function formatLines(
  line: {
    readonly atMs: number;
    readonly sign: string;
    readonly name: string;
    readonly text: string;
  },
  columns: number,
): readonly string[] {
  const time = paint('dim', `${(line.atMs / 1000).toFixed(1)}s`.padStart(6));
  const name = line.name === '' ? '' : `${line.name.padEnd(11)} `;
  const indent = 11 + name.length;
  const [first = '', ...more] = wrap(line.text, columns - indent);
  return [
    `  ${time} ${line.sign} ${paint('bold', name)}${first}`,
    ...more.map((rest) => `${' '.repeat(indent)}${rest}`),
  ];
}

/** By words; never narrower than a few of them. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > Math.max(20, width)) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

export const victimNames: Readonly<Record<Victim, string>> = {
  agent: 'worker',
  daemon: 'daemon',
};

export function formatMs(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** As this person can type it: run by npx, there is no signalbox on the PATH. */
export function command(home: string, words: string): string {
  const program = process.env['npm_command'] === 'exec' ? 'npx signalbox' : 'signalbox';
  return `SIGNALBOX_HOME=${shellWord(home)} ${program} ${words}`;
}
