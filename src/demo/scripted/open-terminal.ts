import { writeSync } from 'node:fs';
import { ScriptedAgent } from './agent.ts';
import { hookTurns } from './hooked-turn.ts';
import { type Host, interpret as perform } from './perform.ts';
import { ToolClient } from './tool-client.ts';
import type { Work } from './turn.ts';

export interface TerminalOptions {
  readonly program: string;
  readonly name: string;
  readonly isAlternateScreen: boolean;
  /** What a prompt means; directives, unless told. */
  readonly interpret?: (prompt: string) => Work;
  /** A hook has taken the end of a turn, with these last words. */
  readonly onStop?: (text: string) => void;
}

export interface ScriptedTerminal {
  readonly agent: ScriptedAgent;
  readonly host: Host;
  readonly interpret: (prompt: string) => Work;
  /** Done before the process ends in order. */
  beforeExit(close: () => void): void;
}

/**
 * A scripted agent on this process's own terminal, which ends like any program when the terminal
 * goes.
 */
export function openTerminal(options: TerminalOptions): ScriptedTerminal {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) refuse(options.program, 'It needs a terminal: run it in one.');
  const ignored = new Set<NodeJS.Signals>();
  const closers: (() => void)[] = [];
  const tools = new ToolClient(process.env);
  closers.push(() => tools.close());
  const host: Host = {
    tools,
    exit: (code) => {
      // Emptied first: leaving raw mode on a terminal that is gone is an error of the input, which
      // brings us here again.
      for (const close of closers.splice(0)) close();
      process.exit(code);
    },
    ignore: (signals) => {
      for (const signal of signals) ignored.add(signal);
    },
  };
  const means = options.interpret ?? ((prompt: string) => perform(prompt, host));
  const { onStop } = options;
  const hooked = hookTurns({
    env: process.env,
    interpret: means,
    ...(onStop ? { onStop } : {}),
  });
  const interpret = (prompt: string): Work => hooked(prompt, means(prompt));
  const agent = new ScriptedAgent({
    input,
    output,
    isAlternateScreen: options.isAlternateScreen,
    name: options.name,
    interpret,
    onLeave: () => host.exit(0),
  });
  closers.push(() => agent.close());

  const end = (signal: 'SIGHUP' | 'SIGTERM', code: number): void => {
    if (!ignored.has(signal)) host.exit(code);
  };
  process.on('SIGTERM', () => end('SIGTERM', 143));
  process.on('SIGHUP', () => end('SIGHUP', 129));
  // A terminal that is gone ends us like the hangup that comes with it, unless we were told to
  // survive that: then something must keep the process alive.
  for (const event of ['end', 'error']) {
    input.on(event, () => {
      end('SIGHUP', 129);
      setInterval(() => undefined, 60_000);
    });
  }
  return { agent, host, interpret, beforeExit: (close) => closers.push(close) };
}

export function refuse(program: string, why: string): never {
  writeSync(2, `${program}: ${why}\n`);
  process.exit(2);
}
