import type { Recovery, StoryEvent, Victim } from '../demo/moment.ts';
import { neutralise, paint, type Style } from './output.ts';

/** The lines for one event of the story. */
export function describeEvent(event: StoryEvent, atMs: number): readonly string[] {
  switch (event.what) {
    case 'opened':
      return [
        '',
        `  ${paint('bold', 'signalbox demo')}  a supervisor and three workers in tmux; a worker and the daemon get kill -9`,
        `  ${paint('dim', 'look for yourself while it runs, in another terminal (Ctrl-b d leaves):')}`,
        `  ${command(event.home, 'attach supervisor')}`,
        '',
      ];
    case 'told': {
      const name = nameOf(event.agent);
      return [say(atMs, ' ', 'dim', `${paint('bold', name.padEnd(11))} ${neutralise(event.text)}`)];
    }
    case 'killed':
      return [say(atMs, '✗', 'red', paint('red', `kill -9 ${event.pid}  ${event.name}`))];
    case 'recovered':
      return [describeRecovery(atMs, event.recovery)];
  }
}

/** The user is whoever reads this. */
export function nameOf(agent: string): string {
  return agent === 'user' ? 'you' : agent;
}

function describeRecovery(atMs: number, { outcome, how, ms }: Recovery): string {
  return outcome === 'recovered'
    ? say(atMs, '✓', 'green', `${how}  ${paint('bold', formatMs(ms))}`)
    : say(atMs, '!', 'red', `not recovered: ${how}`);
}

function say(atMs: number, sign: string, style: Style, text: string): string {
  const time = paint('dim', `${(atMs / 1000).toFixed(1)}s`.padStart(6));
  return `  ${time} ${paint(style, sign)} ${text}`;
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
  return `SIGNALBOX_HOME=${home} ${program} ${words}`;
}
