import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Around, followPage } from '../pages/follow-page.ts';
import { pages } from '../pages/list-pages.ts';
import { PageShell } from '../pages/shell.ts';
import { openScriptedWorld } from '../pages/world.ts';
import { tempHome } from '../support/home.ts';
import { sweep } from '../support/sweep.ts';
import { hasCommand } from './fixtures/has-command.ts';

/** What a new user reads. */
const firstPages = ['README.md', 'docs/getting-started.md'];

const canRun = ['tmux', 'bash', 'git', 'make', 'curl'].every(hasCommand);

describe.runIf(canRun)('our pages', () => {
  test('can be followed one after the other: every line that is to be run ends well', {
    timeout: 900_000,
  }, async () => {
    await inShell(async (around) => {
      for (const page of sweep(pages, firstPages))
        expect(await followPage(page, around)).toEqual([]);
    });
  });

  test('a line that does not end well is told with its screen, and a shown one is not typed', async () => {
    const page = join(tempHome(), 'page.md');
    const run = '```console run\n$ signalbox status nobody\n$ true\n```\n';
    writeFileSync(page, `${run}\n\`\`\`console shown\n$ exit 7\n\`\`\`\n`);
    await inShell(async (around) => {
      const wrong = await followPage(page, around);
      expect(wrong).toEqual([
        expect.stringMatching(/signalbox status nobody: ended with 3\n.*nobody/s),
      ]);
    });
  });
});

async function inShell(act: (around: Around) => Promise<void>): Promise<void> {
  const world = openScriptedWorld();
  try {
    const shell = await PageShell.open(world);
    try {
      await act({ world, shell });
    } finally {
      await shell.close();
    }
  } finally {
    await world.close();
  }
}
