import type { Recovery, StoryEvent, Victim } from '../demo/moment.ts';
import { neutralise, paint, type Style } from './output.ts';

/** The lines for one event of the story. */
export function describeEvent(event: StoryEvent, atMs: number): readonly string[] {
  switch (event.what) {
    case 'opened':
      return [
        '',
        `  ${paint('bold', 'signalbox demo')}  a lead and three workers in tmux, and kill -9 for everything under them`,
        `  ${paint('dim', 'look for yourself while it runs, in another terminal (Ctrl-b d leaves):')}`,
        `  ${command(event.home, 'attach worker-1')}`,
        '',
      ];
    case 'ready':
      return [
        say(
          atMs,
          '●',
          'green',
          'all four are up, each in a terminal of its own; the lead gives out tasks',
        ),
      ];
    case 'asked':
      return [
        say(
          atMs,
          '?',
          'yellow',
          `${event.agent} waits for a person (${neutralise(event.detail)}): its program asks for permission`,
        ),
      ];
    case 'answered':
      return [say(atMs, ' ', 'dim', `the person answers with Enter in ${event.agent}’s terminal`)];
    case 'restarted': {
      const { agent, detail, epoch } = event;
      const how = neutralise(detail);
      return [
        say(
          atMs,
          ' ',
          'dim',
          `${agent} is seen as exited (${how}) and started again: life ${epoch}`,
        ),
      ];
    }
    case 'killed':
      return [say(atMs, '✗', 'red', `kill -9 ${event.pid}: ${event.name}`)];
    case 'recovered':
      return [describeRecovery(atMs, event.recovery)];
    case 'calm':
      return [say(atMs, '●', 'green', 'nothing is killed any more; the inboxes run empty')];
  }
}

function describeRecovery(atMs: number, { outcome, how, ms }: Recovery): string {
  return outcome === 'recovered'
    ? say(atMs, '✓', 'green', `${how}  ${paint('bold', formatMs(ms))}`)
    : say(atMs, '!', 'red', `not recovered: ${how}`);
}

function say(atMs: number, sign: string, style: Style, text: string): string {
  const time = paint('dim', `${(atMs / 1000).toFixed(1)}s`.padStart(6));
  return `  ${time} ${paint(style, sign)} ${style === 'dim' ? paint('dim', text) : text}`;
}

export const victimNames: Readonly<Record<Victim, string>> = {
  daemon: 'daemon',
  'control-client': 'control client',
  agent: 'agent',
  'tmux-server': 'tmux server',
};

export function formatMs(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** As this person can type it: run by npx, there is no signalbox on the PATH. */
export function command(home: string, words: string): string {
  const program = process.env['npm_command'] === 'exec' ? 'npx signalbox' : 'signalbox';
  return `SIGNALBOX_HOME=${home} ${program} ${words}`;
}
