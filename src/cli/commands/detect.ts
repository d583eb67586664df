import { relative } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { DetectorRules, DetectResult, RuleView } from '../../protocol/detect.ts';
import { formatTable, inLine, writeJson, writeOut } from '../output.ts';
import { readText } from '../read-body.ts';
import { paint } from '../screen-codes.ts';
import { example, jsonOption } from './options.ts';

interface Options {
  readonly provider: string;
  readonly screen?: string;
  readonly title?: string;
  readonly cursor?: { readonly x: number; readonly y: number };
  readonly providerVersion?: string;
  readonly json?: true;
}

/** A terminal of 500 × 500 with a colour for every letter has less. */
const largestScreen = 4 * 1024 * 1024;

export function addDetectCommand(program: Command): void {
  const command = program
    .command('detect')
    .description(
      'print the status that the detector finds on a screen, and its rule; without a screen, the rules',
    )
    .requiredOption('--provider <provider>', 'the provider whose screen it is')
    .option(
      '--screen <file>',
      'plain or ANSI text, as tmux capture-pane -p or -e -p prints it; - is stdin',
    )
    .option('--title <title>', 'the terminal’s title')
    .option('--cursor <x,y>', 'the position of the cursor, from 0,0', parseCursor)
    .option('--provider-version <version>', 'the version of the CLI; default: the tested one');
  jsonOption(command);
  example(
    command,
    'tmux capture-pane -e -p -t %3 | signalbox detect --provider claude --screen - --cursor 2,37',
    'signalbox detect --provider codex',
  );
  command.action(async ({ screen, json, ...options }: Options) => {
    const { detectScreen, listRules } = await import('../../client/direct/detect.ts');
    if (screen === undefined) {
      const rules = await listRules(process.env, options.provider);
      return json ? writeJson<DetectorRules>(rules) : writeOut(describeRules(rules));
    }
    const text = readText(screen, largestScreen);
    const { result, source } = await detectScreen(process.env, { ...options, screen: text });
    return json ? writeJson<DetectResult>(result) : writeOut(describe(result, source));
  });
}

function describe(result: DetectResult, source: string | undefined): string {
  const { status, detail, composer, noPaste, rule, provider, providerVersions } = result;
  const from = source === undefined ? '' : `  ${paint('dim', inLine(shorten(source)))}`;
  return [
    `status    ${status}${detail ? `: ${inLine(detail)}` : ''}`,
    `composer  ${composer}${noPaste ? `: ${inLine(noPaste)}` : ''}`,
    `rule      ${inLine(rule)}${from}`,
    `provider  ${provider} ${providerVersions}`,
    '',
  ].join('\n');
}

function describeRules(rules: DetectorRules): string {
  const rows = (list: readonly RuleView[], kind: string): readonly (readonly string[])[] =>
    list.map(({ name, says, versions, source }) => [
      name,
      `${kind}${says}`,
      versions ?? '',
      shorten(source),
    ]);
  const all = [...rows(rules.rules, ''), ...rows(rules.composer, 'composer ')];
  const table = formatTable(['RULE', 'SAYS', 'VERSIONS', 'FROM'], all);
  const head = `${rules.provider} ${rules.providerVersions}, tested with ${rules.tested}\n\n`;
  return `${head}${table}\nyour own rules  ${inLine(rules.ownFile)}\n`;
}

/** Relative where that is shorter to read. */
function shorten(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

function parseCursor(text: string): { readonly x: number; readonly y: number } {
  const [, x, y] = /^(\d{1,4}),(\d{1,4})$/.exec(text.trim()) ?? [];
  if (x !== undefined && y !== undefined) return { x: Number(x), y: Number(y) };
  throw new InvalidArgumentError('Give column and row from 0, such as 2,37.');
}
