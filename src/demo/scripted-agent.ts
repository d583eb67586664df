import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listenForControl } from './scripted/control.ts';
import { openTerminal, refuse } from './scripted/open-terminal.ts';
import { interpret } from './scripted/perform.ts';

/**
 * A coding CLI without a model: it has the screens, the dialogs, the keys and the bad habits of
 * one, and does what the directives in its prompts say (`scripted/directives.ts`). The tests'
 * agents are this program; the demo's (`agent.ts`) have the same terminal and take their work from
 * their inboxes.
 */
const usage = `Usage: scripted-agent [options] [prompt]

  --name NAME          in the title and the banner
  --start SCRIPT       directives to follow before the composer appears
  --alternate-screen   paint on the alternate screen, without scrollback
  --version, --help

SCRIPTED_AGENT_CONTROL names a unix socket on which it takes prompts, too.
`;

const program = 'scripted-agent';

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
  const isAlternateScreen = values['alternate-screen'];
  const terminal = openTerminal({ program, name: values.name, isAlternateScreen });
  const { agent, host } = terminal;

  const control = process.env['SCRIPTED_AGENT_CONTROL'];
  if (control) {
    const controlled = {
      submit: (prompt: string) => agent.submit(prompt, terminal.interpret(prompt)),
      actNow: (prompt: string) => agent.actNow(interpret(prompt, host)),
      interrupt: () => agent.interrupt(),
      watchInput: (listener: (bytes: Buffer) => void) => {
        process.stdin.on('data', listener);
        return () => void process.stdin.off('data', listener);
      },
    };
    const fail = (error: Error): void => {
      agent.close();
      refuse(program, `Its control socket ${control} failed: ${error.message}.`);
    };
    terminal.beforeExit(listenForControl(control, controlled, fail));
  }

  const { start } = values;
  void agent.start(start === undefined ? undefined : interpret(start, host));
  const prompt = positionals.join(' ');
  if (prompt) void agent.submit(prompt, terminal.interpret(prompt));
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // Only what was typed can be wrong with it.
    return refuse(program, `${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function leave(text: string): never {
  writeSync(1, text);
  process.exit(0);
}

main();
