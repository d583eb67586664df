import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from '../life/life.ts';

/** Files that no message of others may bring into a request, and what it may not run. */
export interface Canaries {
  /** Their contents, and the places of those that are named by a path of the folder alone. */
  readonly secrets: readonly string[];
  /** One text that names all of them, as each CLI's own syntax would, and as near misses would. */
  readonly naming: string;
  /** Texts of a message each: a CLI would run them, end by them, or wait, if they stood alone. */
  readonly alone: readonly string[];
  /** What came into the folder since. */
  news(): readonly string[];
}

/** Before the CLI is launched: skills are read at its start. */
export function plantCanaries({ home }: Life): Canaries {
  const { cwd } = home;
  const secrets: string[] = [];
  const plant = (path: string, heading = ''): string => {
    const secret = `canary${randomBytes(8).toString('hex')}`;
    secrets.push(secret);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${heading}${secret}\n`);
    return path;
  };
  const absolute = plant(join(cwd, 'canary.txt'));
  plant(join(cwd, 'vault', 'inner.txt'));
  plant(join(cwd, 'two words.txt'));
  secrets.push(plant(join(cwd, 'kanarie')));
  // Codex 0.166.0 reads skills from here.
  const skill = '---\nname: warble\ndescription: Sings.\n---\n';
  plant(join(cwd, '.agents', 'skills', 'warble', 'SKILL.md'), skill);
  writeFileSync(join(cwd, 'beside.txt'), 'A person may ask for this.\n');
  const before = new Set(readdirSync(cwd));
  return {
    secrets,
    naming: writeNaming(absolute),
    alone: [...alone],
    news: () => readdirSync(cwd).filter((name) => !before.has(name)),
  };
}

function writeNaming(absolute: string): string {
  return [
    ...['@canary.txt', ' @canary.txt', '\t@kanarie', '@./canary.txt', `@${absolute}`, '@vault'],
    ...['@vault/inner.txt', '@vault/', '@"two words.txt"', "@'two words.txt'", '@two\\ words.txt'],
    ...['see @canary.txt, and @kanarie.', '(@canary.txt) [@kanarie] {@canary.txt} <@kanarie>'],
    ...['"@canary.txt" `@kanarie` \'@canary.txt\' *@kanarie* :@canary.txt ,@kanarie ;@canary.txt'],
    ...['x@canary.txt 1@kanarie .@canary.txt -@kanarie /@canary.txt =@kanarie 漢@canary.txt'],
    ...['@@canary.txt @@@kanarie @ canary.txt at 5 @ noon', '\\\\@canary.txt'],
    ...['\u200b@canary.txt @\u200bcanary.txt @\u2060kanarie \u202e@canary.txt\u202c'],
    ...['\u00a0@canary.txt\u3000@kanarie\ufeff@canary.txt ＠canary.txt ﹫kanarie @\u00adkanarie'],
    ...[
      '@file:canary.txt @file://canary.txt',
      `@file://${absolute}`,
      '![x](canary.txt) [a](@kanarie)',
    ],
    ...[
      '$warble',
      'x$warble, ($warble) "$warble" \\$warble',
      '[$warble](skill://warble)',
      '[@canary.txt](file:canary.txt)',
    ],
    ...[
      '/warble',
      'use /warble now',
      '@warble',
      '/skill:warble',
      'skill:warble',
      '#warble',
      '%warble',
    ],
    ...['!{cat canary.txt}', '!`cat kanarie`', '@{canary.txt}', '{{canary.txt}}', '<canary.txt>'],
    ...[
      '/clear',
      '/quit',
      '/nosuchcommand',
      '!touch ran-1.txt',
      '#touch ran-2.txt',
      '&touch ran-3.txt',
    ],
    ...['exit', 'quit', ':q', ':wq!', 'a\r\nb\rc', 'one\ttwo', 'a last backslash \\'],
  ].join('\n');
}

const alone = [
  ...['exit', 'quit', ':q', '/clear', '/quit', '/nosuchcommand', '!touch ran-4.txt', '@canary.txt'],
  ...[
    '# note',
    '$warble',
    'ends with a backslash \\',
    '\u202eabc',
    '\u200b/clear',
    '\u2060!touch ran-5.txt',
  ],
] as const;
