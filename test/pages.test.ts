import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cellWidth } from '../src/shared/cell-width.ts';
import { pages } from './pages/list-pages.ts';
import { listBlocks } from './pages/read-page.ts';
import { shownBlocks } from './pages/shown.ts';

const files = ['.', 'docs', 'docs/clis', 'skills/signalbox'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const blocks = files.flatMap((file) => listBlocks(file, readFileSync(file, 'utf8')));

describe('blocks with commands', () => {
  test('are run by a test, or are shown for a reason that stands in test/pages/shown.ts', () => {
    const wrong = blocks.flatMap(({ at, file, how, commands: [first = ''] }) => {
      const reason = findReason(file, first);
      if (how === 'run') return reason === undefined ? [] : [`${at} is run, and listed as shown`];
      if (reason === undefined) return [`${at} is not run, and no reason is listed: ${first}`];
      const isNamed = how === 'shown' || reason.isWholePage;
      return isNamed ? [] : [`${at} says neither run nor shown`];
    });
    expect(wrong).toEqual([]);
    expect(blocks.filter(({ how }) => how === 'run').length).toBeGreaterThan(15);
  });

  test('test/pages/shown.ts lists no block that is not there', () => {
    const listed = Object.entries(shownBlocks).flatMap(([file, reasons]) =>
      Object.keys(reasons).map((beginning) => ({ file, beginning })),
    );
    const stale = listed.filter(
      ({ file, beginning }) =>
        !blocks.some(
          ({ file: other, commands: [first = ''] }) =>
            other === file && (beginning === '*' || first.startsWith(beginning)),
        ),
    );
    expect(stale).toEqual([]);
  });

  test('pages that are run are in the order in which they are followed, and all are in it', () => {
    const run = new Set(blocks.filter(({ how }) => how === 'run').map(({ file }) => file));
    expect([...run].sort()).toEqual([...pages].sort());
  });

  test('take no name twice, so that the pages can be followed one after the other', () => {
    const names = blocks
      .filter(({ file }) => !/commands\.md|SKILL\.md/.test(file))
      .flatMap(({ commands }) => commands)
      .flatMap((line) => /\b(?:launch|assign) .*--name (\S+)|agents add (\S+)/.exec(line) ?? [])
      .filter((word) => word !== undefined && !word.includes(' '));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('are no wider than a page on the pages that are followed, and no other block is', () => {
    const pageColumns = 90;
    const wide = pages.flatMap((file) =>
      listFenced(readFileSync(file, 'utf8'))
        .filter((line) => cellWidth(line) > pageColumns)
        .map((line) => `${file}: ${line}`),
    );
    expect(wide).toEqual([]);
  });

  test('the check itself tells a command from what it prints', () => {
    const page =
      '```console run\n$ signalbox ls\nlead idle\n```\n\n```sh\nnpm test\n```\n\n```\nplain\n```';
    expect(listBlocks('a.md', page)).toMatchObject([
      { at: 'a.md:1', how: 'run', commands: ['signalbox ls'] },
      { at: 'a.md:6', how: undefined, commands: ['npm test'] },
    ]);
  });
});

/** Every line between two fences, also of what no command has printed. */
function listFenced(markdown: string): readonly string[] {
  let isFenced = false;
  return markdown.split('\n').filter((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isFenced = !isFenced;
    return isFenced && !isFence;
  });
}

function findReason(
  file: string,
  command: string,
): { readonly reason: string; readonly isWholePage: boolean } | undefined {
  const reasons = Object.entries(shownBlocks[file] ?? {});
  const found = reasons.find(([beginning]) => beginning === '*' || command.startsWith(beginning));
  return found && { reason: found[1], isWholePage: found[0] === '*' };
}
