import { ScriptedAgent } from '../../../src/demo/scripted/agent.ts';
import { refuse } from '../../../src/demo/scripted/open-terminal.ts';
import { type Host, interpret } from '../../../src/demo/scripted/perform.ts';
import { ToolClient } from '../../../src/demo/scripted/tool-client.ts';
import type { Turn } from '../../../src/demo/scripted/turn.ts';
import { readStartTime } from '../../../src/shared/processes.ts';
import { writeNote } from './journal.ts';

/**
 * The scripted agent with a journal: whatever its terminal gives it, every prompt that is entered
 * and every dialog that opens is on file before anything comes of it. `agent.mjs <journal>`.
 */
const [, , journal = ''] = process.argv;
const { stdin: input, stdout: output } = process;
if (!input.isTTY || !output.isTTY || journal === '') refuse('agent', 'It needs a terminal.');
writeNote(journal, {
  what: 'started',
  pid: process.pid,
  startedAt: readStartTime(process.pid) ?? '',
});
// Before the agent's own listener.
input.on('data', (bytes: Buffer) =>
  writeNote(journal, { what: 'input', base64: bytes.toString('base64') }),
);
const leave = (code: number): never => process.exit(code);
const host: Host = { exit: leave, ignore: () => undefined, tools: new ToolClient({}) };
const agent = new ScriptedAgent({
  input,
  output,
  isAlternateScreen: false,
  name: 'tortured',
  interpret: (prompt) => {
    writeNote(journal, { what: 'prompt', text: prompt });
    const work = interpret(prompt, host);
    return (turn) => work(journalled(turn));
  },
  onLeave: () => leave(0),
});
for (const event of ['end', 'error']) input.on(event, () => leave(129));
process.on('SIGHUP', () => leave(129));
process.on('SIGTERM', () => leave(143));
void agent.start(undefined);

function journalled(turn: Turn): Turn {
  return {
    ...turn,
    ask: async (dialog, about) => {
      writeNote(journal, { what: 'asked' });
      try {
        return await turn.ask(dialog, about);
      } finally {
        writeNote(journal, { what: 'answered' });
      }
    },
  };
}
