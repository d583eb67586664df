import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ScriptedAgent } from './scripted/agent.ts';
import { listenForControl } from './scripted/control.ts';
import { type Host, interpret } from './scripted/perform.ts';

/**
 * A coding CLI without a model: it has the screens, the dialogs, the keys and the bad habits of one, and does what the
 * directives in its prompts say (`scripted/directives.ts`). The demo's agents and the tests' agents are this program.
 */
const usage = `Usage: scripted-agent [options] [prompt]

  --name NAME          in the title and the banner
  --start SCRIPT       directives to follow before the composer appears
  --alternate-screen   paint on the alternate screen, without scrollback
  --version, --help

SCRIPTED_AGENT_CONTROL names a unix socket on which it takes prompts, too.
`;

const options = {
  name: { type: 'string', default: 'scripted agent' },
  start: { type: 'string' },
  'alternate-screen': { type: 'boolean', default: false },
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function main(): void {
  const { values, positionals } = readArguments();
  if (values.version) leave('1.0.0 (scripted agent)\n');
  if (values.help) leave(usage);
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) refuse('It needs a terminal: run it in one.');

  const ignored = new Set<NodeJS.Signals>();
  const closers: (() => void)[] = [];
  const host: Host = {
    exit: (code) => {
      for (const close of closers) close();
      process.exit(code);
    },
    ignore: (signals) => {
      for (const signal of signals) ignored.add(signal);
    },
  };
  const agent = new ScriptedAgent({
    input,
    output,
    isAlternateScreen: values['alternate-screen'],
    name: values.name,
    interpret: (prompt) => interpret(prompt, host),
    onLeave: () => host.exit(0),
  });
  closers.push(() => agent.close());

  const end = (signal: 'SIGHUP' | 'SIGTERM', code: number): void => {
    if (!ignored.has(signal)) host.exit(code);
  };
  process.on('SIGTERM', () => end('SIGTERM', 143));
  process.on('SIGHUP', () => end('SIGHUP', 129));
  // A terminal that is gone ends us like the hangup that comes with it, unless we were told to survive that: then
  // something must keep the process alive.
  for (const event of ['end', 'error']) {
    input.on(event, () => {
      end('SIGHUP', 129);
      setInterval(() => undefined, 60_000);
    });
  }

  const control = process.env['SCRIPTED_AGENT_CONTROL'];
  if (control) {
    const controlled = {
      submit: (prompt: string) => agent.submit(prompt, interpret(prompt, host)),
      actNow: (prompt: string) => agent.actNow(interpret(prompt, host)),
      interrupt: () => agent.interrupt(),
      watchInput: (listener: (bytes: Buffer) => void) => {
        input.on('data', listener);
        return () => void input.off('data', listener);
      },
    };
    const fail = (error: Error): void => {
      agent.close();
      refuse(`Its control socket ${control} failed: ${error.message}.`);
    };
    closers.push(listenForControl(control, controlled, fail));
  }

  const { start } = values;
  void agent.start(start === undefined ? undefined : interpret(start, host));
  const prompt = positionals.join(' ');
  if (prompt) void agent.submit(prompt, interpret(prompt, host));
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function refuse(why: string): never {
  writeSync(2, `scripted-agent: ${why}\n`);
  process.exit(2);
}

function leave(text: string): never {
  writeSync(1, text);
  process.exit(0);
}

main();
