import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { CancelView } from '../../protocol/messages.ts';
import { inLine, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { example, jsonOption } from './options.ts';

export function addCancelCommand(program: Command): void {
  const command = program
    .command('cancel <message>')
    .description('take back a message that you sent and that nobody has read, or a task');
  jsonOption(command);
  example(command, 'signalbox cancel lead:412', 'signalbox cancel reviewer:7 --json');
  command.action((id: string, options: { json?: true }) =>
    withClient(async (client) => {
      const done = await client.cancel(id);
      if (options.json) return writeJson<CancelView>(done);
      return writeOut(`${inLine(describeCancel(done))}\n`);
    }),
  );
}

function describeCancel({ outcome, mayHaveBeenRead, message }: CancelView): string {
  const { id, short = id, kind, to } = message;
  const name = `${kind === 'task' ? 'task ' : ''}${short}`;
  const worker = callName(to);
  switch (outcome) {
    case 'withdrawn':
      return mayHaveBeenRead
        ? `${name} was taken back, but an earlier try to deliver it may have been read; see \`signalbox explain ${short}\``
        : `${name} was taken back; nobody has read it`;
    case 'released':
      return `${name} is owed no answer any more; ${worker} has it, and is told so`;
    case 'already':
      return `${name} had been taken back before`;
  }
}
