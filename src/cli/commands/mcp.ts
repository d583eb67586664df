import type { Command } from 'commander';
import { example, jsonOption } from './options.ts';

/** Listed here for people; main.ts starts it without loading any of the other commands. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'serve MCP over stdio to an agent’s CLI, until it closes: a thin proxy to the daemon',
    );
  // What it prints is JSON in any case.
  jsonOption(command);
  example(command, 'SIGNALBOX_AGENT=worker signalbox mcp');
  command.action(async () => {
    const { runProxy } = await import('../../mcp-proxy/run.ts');
    runProxy(process.env);
  });
}
