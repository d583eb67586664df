import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PageShell } from '../pages/shell.ts';
import { openScriptedWorld } from '../pages/world.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';

test.runIf(['tmux', 'bash'].every(hasCommand))(
  'a command that ends in the background leaves the terminal of the one in the foreground as it is',
  async () => {
    const world = openScriptedWorld();
    onTestFinished(() => world.close());
    const shell = await PageShell.open(world);
    onTestFinished(() => shell.close());
    const [gate, begun, ended] = ['gate', 'begun', 'ended'].map((name) =>
      join(world.folder, name),
    ) as [string, string, string];
    execFileSync('mkfifo', [gate]);
    const task = `signalbox run-task -- sh -c 'touch "${begun}"; cat "${gate}"'`;
    await shell.type(`(${task}; touch "${ended}") &`);
    await waitUntil('its command', () => existsSync(begun));
    const typed = await shell.type('cat', async () => {
      await waitUntil('cat', async () => (await shell.program()) === 'cat');
      writeFileSync(gate, 'go\n');
      await waitUntil('the end of the task', () => existsSync(ended));
      // The terminal's own line editing turns it into the end of the input.
      await shell.press('C-d');
    });
    expect(typed.code).toBe(0);
  },
);
