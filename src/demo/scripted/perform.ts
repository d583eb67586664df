import { systemClock } from '../../shared/clock.ts';
import { parseDirectives, type Step } from './directives.ts';
import { flood, garbage, longLine } from './noise.ts';
import type { ToolClient } from './tool-client.ts';
import type { Turn, TurnEnd, Work } from './turn.ts';
import { useTool } from './use-tool.ts';

/** What a script may do to the process itself. */
export interface Host {
  exit(code: number): never;
  ignore(signals: readonly NodeJS.Signals[]): void;
  readonly tools: ToolClient;
}

/** The work that a prompt asks for by its directives. */
export function interpret(prompt: string, host: Host): Work {
  const steps = parseDirectives(prompt);
  return async (turn) => {
    for (const step of steps) {
      const end = await perform(step, turn, host);
      if (end) return end;
    }
    return { outcome: 'done' };
  };
}

/** Undefined: the turn goes on. */
async function perform(step: Step, turn: Turn, host: Host): Promise<TurnEnd | undefined> {
  switch (step.do) {
    case 'say':
      return void turn.say(step.text);
    case 'work':
      return systemClock.sleep(step.ms, turn.signal) as Promise<undefined>;
    case 'stream':
      return stream(step.lines, step.everyMs, turn);
    case 'ask': {
      const answer = await turn.ask(step.dialog, step.about);
      if (answer !== 'refused') return undefined;
      return step.dialog === 'trust' ? host.exit(1) : { outcome: 'refused' };
    }
    case 'tool':
      return void (await useTool(host.tools, turn, step.name, step.given));
    case 'fail':
      return { outcome: 'failed', why: step.text };
    case 'title':
      return void turn.setTitle(step.text);
    case 'show':
      return void turn.say(show(step.text));
    case 'flood':
      return void (await turn.print((print) => flood(print, step, turn.signal)));
    case 'long-line':
      return void (await turn.print((print) => longLine(print, step.bytes, turn.signal)));
    case 'garbage':
      return void (await turn.printAnything((print) => garbage(print, step.bytes, turn.signal)));
    case 'never-ready':
      turn.hideComposer();
      return forever(turn);
    case 'hang':
      return forever(turn);
    case 'freeze':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, step.ms);
      return undefined;
    case 'ignore':
      return void host.ignore(step.signals);
    case 'spawn-child':
      return void turn.say(`child ${await spawnChild(step.detached)}`);
    case 'exit':
      return host.exit(step.code);
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
      return forever(turn);
  }
}

async function stream(lines: number, everyMs: number, turn: Turn): Promise<undefined> {
  for (let line = 1; line <= lines; line++) {
    const text = `line ${line} of ${lines}`;
    if (line === 1) turn.say(text);
    else turn.continue(text);
    if (everyMs > 0) await systemClock.sleep(everyMs, turn.signal);
  }
}

function forever({ signal }: Turn): Promise<undefined> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

/** What the process was started with, exact to the character. */
function show(what: string): string {
  const [word, name = ''] = what.split(' ');
  const facts: Readonly<Record<string, unknown>> = {
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    pid: process.pid,
    size: process.stdout.getWindowSize(),
    env: process.env[name] ?? null,
  };
  return JSON.stringify(facts[word ?? ''] ?? null);
}

/**
 * Ignored signals stay ignored through exec, so this is one small process. It ends by itself,
 * should a test forget it.
 */
async function spawnChild(detached: boolean): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn('sh', ['-c', 'trap "" HUP TERM INT; exec sleep 600'], {
    detached,
    stdio: 'ignore',
  });
  child.on('error', () => undefined);
  child.unref();
  return child.pid ?? 0;
}
