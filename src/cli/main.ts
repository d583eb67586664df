#!/usr/bin/env node

import { leaveTerminalAsItIs } from './leave-terminal.ts';
import { isNewEnough } from './node-version.ts';
import { refuseNode } from './refuse-node.ts';

process.on('exit', leaveTerminalAsItIs);

/**
 * A CLI waits for its MCP servers at every start: that one is not kept waiting for all other
 * commands to be loaded.
 */
if (!isNewEnough(process.versions.node)) refuseNode();
else if (process.argv[2] === 'mcp' && process.argv.length === 3) {
  void import('../mcp-proxy/run.ts').then(({ runProxy }) => runProxy(process.env));
} else {
  void import('./program.ts').then(({ runCli }) => runCli(process.argv.slice(2)));
}
