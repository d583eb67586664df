#!/usr/bin/env node

import { Fault } from '../shared/fault.ts';
import { leaveTerminalAsItIs } from './leave-terminal.ts';
import { isNewEnough, oldestNode } from './node-version.ts';

process.on('exit', leaveTerminalAsItIs);

/**
 * A CLI waits for its MCP servers at every start: that one is not kept waiting for all other
 * commands to be loaded.
 */
if (!isNewEnough(process.versions.node)) void refuseNode();
else if (process.argv[2] === 'mcp' && process.argv.length === 3) {
  void import('../mcp-proxy/run.ts').then(({ runProxy }) => runProxy(process.env));
} else {
  void import('./program.ts').then(({ runCli }) => runCli(process.argv.slice(2)));
}

async function refuseNode(): Promise<void> {
  const { reportFailure } = await import('./run.ts');
  const fault = new Fault(
    'wrong-node',
    `signalbox needs Node.js ${oldestNode} or newer, and this is ${process.version} (${process.execPath}).`,
    'Install a newer Node.js, then install signalbox again with it.',
  );
  reportFailure(fault, process.argv.includes('--json'));
}
