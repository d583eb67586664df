import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import { type Json, text, type World } from './world.ts';

/** Something that herdr takes for this agent. */
export async function program(world: World, kind: string): Promise<string> {
  const bin = join(world.herdr.folder, 'bin');
  const path = join(bin, kind);
  mkdirSync(bin, { recursive: true });
  writeFileSync(path, '#!/bin/sh\necho "up $1"\nwhile read -r line; do echo "got $line"; done\n');
  chmodSync(path, 0o755);
  return path;
}

export async function untilAgent(
  world: World,
  pane: string,
  kind: string | undefined,
): Promise<void> {
  await waitUntil(`${kind} in ${pane}`, async () => {
    const { pane: info } = await world.ask('pane.get', { pane_id: pane });
    return (info as Json)['agent'] === kind;
  });
}

export function report(world: World, pane: string, more: Json): Promise<Json> {
  const params = { pane_id: pane, source: 'custom:test', agent: 'my-agent', ...more };
  return world.ask('pane.report_agent', params);
}

export async function status(world: World, pane: string): Promise<string> {
  const { pane: info } = await world.ask('pane.get', { pane_id: pane });
  return text(info, 'agent_status');
}
