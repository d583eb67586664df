import { parseArgs } from 'node:util';
import { type CliName, cliNames, isCliName } from '../versions.ts';

export interface Wanted {
  readonly cli: CliName;
  readonly version: string;
  readonly json: boolean;
  readonly markdown: string | undefined;
  readonly screens: 'short' | 'all';
  readonly only: readonly RunPart[];
}

const runParts = ['screens', 'cases'] as const;
export type RunPart = (typeof runParts)[number];

export const usage = `npm run lab:certify -- <cli>@<version> [--json] [--markdown FILE] [--screens short|all] [--only screens|cases]

Installs that version of a CLI into the lab's cache, takes it through screens, delivery and people in
short form against a mock model, compares it with the pinned version, and removes it again.

  --json             print the comparison and both runs as JSON instead of the page
  --markdown FILE    also write the page to a file
  --screens all      drive every scenario that the pinned version has a recording of
  --only PART        screens or cases (delivery, records, hooks and people)
  --help             print this

CLIs: ${cliNames.join(', ')}. Progress goes to stderr.
Exit codes: 0 nothing is worse; 1 something is worse; 2 wrong arguments; 3 it could not be tried.
`;

/** A text says what is wrong with them. */
export function readArguments(words: readonly string[]): Wanted | 'help' | { wrong: string } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(words);
  } catch (error) {
    // What a person typed is all that can be wrong here.
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const [target = '', ...others] = positionals;
  if (target === '' || others.length > 0) return { wrong: 'Name one <cli>@<version>.' };
  const [cli = '', version = ''] = target.split('@');
  if (!isCliName(cli)) return { wrong: `There is no CLI "${cli}": ${cliNames.join(', ')}.` };
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return { wrong: `"${version}" is no version such as 1.2.3; tags and ranges are not taken.` };
  }
  const { json, markdown, screens, only } = values;
  if (screens !== 'short' && screens !== 'all') return { wrong: '--screens is short or all.' };
  const part = runParts.find((one) => one === only);
  if (only !== undefined && part === undefined) return { wrong: '--only is screens or cases.' };
  return { cli, version, json, markdown, screens, only: part ? [part] : runParts };
}

function parse(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      markdown: { type: 'string' },
      screens: { type: 'string', default: 'short' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
}
