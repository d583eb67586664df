import { spawn } from 'node:child_process';
import { requirePipes } from '../../shared/require-pipes.ts';
import { clientWords } from './client-words.ts';
import { type CommandList, renderArguments } from './command.ts';
import type { TmuxPlace } from './place.ts';

/** Longer than any answer of a server that works; a stopped one never answers. */
const deadlineMs = 5000;
const outputBytes = 64 * 1024;

/** All that is needed to run it. */
export interface TmuxProgram {
  readonly tmux: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  /** What it said, on one line, for a person. */
  readonly complaint: string;
}

/**
 * A tmux process of its own, that starts no server: before there is a control client, and when
 * there is none any more.
 */
export function runTmux(
  place: TmuxProgram & Pick<TmuxPlace, 'socket'>,
  list: CommandList,
): Promise<Ran> {
  return run(place, [...clientWords(place), ...renderArguments(list)]);
}

/** The one way to start a server: with our configuration, whatever lies in the person's home. */
export function startTmux(place: TmuxPlace, list: CommandList, config: string): Promise<Ran> {
  return run(place, ['-u', '-f', config, '-S', place.socket, ...renderArguments(list)]);
}

/** `tmux 3.3a` */
export function askVersion(place: TmuxProgram): Promise<Ran> {
  return run(place, ['-V']);
}

function run({ tmux, env }: TmuxProgram, args: readonly string[]): Promise<Ran> {
  return new Promise((done, fail) => {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = requirePipes(spawn(tmux, args, { env, cwd: '/', stdio }));
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length < outputBytes) texts[name] += text;
      });
    }
    child.once('error', (error) => {
      clearTimeout(timer);
      fail(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const said = texts.stderr.trim().replace(/\s+/g, ' ').slice(0, 300);
      const complaint =
        said || (signal ? `no answer within ${deadlineMs} ms` : `exit code ${code}`);
      done({ code, stdout: texts.stdout, complaint });
    });
  });
}
