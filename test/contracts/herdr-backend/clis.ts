import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { paneRecord } from './trouble.ts';

/** A program that herdr takes for that CLI by its name. */
export function program(
  world: HerdrWorld,
  name: string,
  text = 'echo ready; exec sleep 3600',
): string {
  const bin = join(world.folder, 'clis');
  mkdirSync(bin, { recursive: true });
  const path = join(bin, name);
  writeFileSync(path, text.startsWith('#!') ? text : `#!/bin/sh\n${text.replace('exec ', '')}\n`);
  chmodSync(path, 0o755);
  return path;
}

export async function status(world: HerdrWorld, terminal: Terminal): Promise<string> {
  return String((await paneRecord(world, terminal))['agent_status']);
}

export async function untilStatus(
  world: HerdrWorld,
  terminal: Terminal,
  wanted: string,
): Promise<void> {
  await waitUntil(`herdr shows ${wanted}`, async () => {
    const shown = await status(world, terminal);
    return shown === wanted || (wanted === 'idle' && shown === 'done');
  });
}

export async function untilDetected(
  world: HerdrWorld,
  terminal: Terminal,
  agent: string,
): Promise<void> {
  await waitUntil(`${agent} is detected`, async () => {
    return (await paneRecord(world, terminal))['agent'] === agent;
  });
}

/** So many looks at everything later. */
export async function looks(world: HerdrWorld, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await world.backend.list();
}
