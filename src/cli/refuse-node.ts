import { oldestNode } from './node-version.ts';

/**
 * By itself, as `reportFailure` does: an older Node cannot load the gate that all other words pass
 * (Node 16.20 and 18.20 know no regular expressions with the flag `v`).
 */
export function refuseNode(): void {
  const program = process.execPath.replace(/[^\x20-\x7e]/g, '?');
  const message = `signalbox needs Node.js ${oldestNode} or newer, and this is ${process.version} (${program}).`;
  const next = 'Install a newer Node.js, then install signalbox again with it.';
  process.exitCode = 1;
  process.stderr.write(`signalbox: ${message} ${next}\n`);
  if (!process.argv.includes('--json')) return;
  process.stdout.write(`${JSON.stringify({ error: { code: 'wrong-node', message, next } })}\n`);
}
