import { type Difference, isWorse, type Part, parts } from './compare.ts';
import type { CertifyRun } from './run.ts';

export interface Certificate {
  readonly pinned: CertifyRun;
  readonly fresh: CertifyRun;
  readonly differences: readonly Difference[];
}

const verdicts = [
  ['worse', 'Worse'],
  ['changed', 'Changed, and not worse'],
  ['in-both', 'Does not hold in either'],
  ['better', 'Better'],
] as const;

/** One page. Without places on this machine. */
export function writePage({ pinned, fresh, differences }: Certificate): string {
  const { cli, version, day } = fresh;
  const worse = differences.filter(({ verdict }) => verdict === 'worse').length;
  const tried = parts.filter((part) => isTried(pinned, part) || isTried(fresh, part));
  const left = parts.filter((part) => !tried.includes(part));
  const network = [pinned, fresh].every(({ isNetworkClosed }) => isNetworkClosed);
  return [
    `# ${cli} ${version} against ${pinned.version}, ${day}`,
    '',
    `Written by \`npm run lab:certify -- ${cli}@${version}\`: the real CLI, installed by itself and removed afterwards, against a mock model on`,
    `loopback (network ${network ? 'closed' : 'open'}). Version ${pinned.version} is pinned: its cases are run beside this one, and its screens are the recordings in`,
    '`test/screens`, read by the same rules. A case that failed was tried once more; the second try counts.',
    ...(left.length === 0 ? [] : [`Not tried in this run: ${left.join(', ')}.`]),
    '',
    isWorse(differences)
      ? `**${worse} worse than ${pinned.version}.**`
      : `**Nothing is worse than ${pinned.version}.**`,
    '',
    ...table([
      ['part', pinned.version, version, 'worse'],
      ...tried.map((part) => [
        part,
        count(pinned, part),
        count(fresh, part),
        String(differences.filter((one) => one.part === part && one.verdict === 'worse').length),
      ]),
    ]),
    '',
    ...verdicts.flatMap(([verdict, title]) => section(title, differences, verdict)),
    ...(isWorse(differences) ? [advice, ''] : []),
  ].join('\n');
}

const advice =
  'Rules and capabilities can be corrected without a release: [detectors](../detectors.md#your-own-data).';

function section(
  title: string,
  differences: readonly Difference[],
  verdict: Difference['verdict'],
): readonly string[] {
  const found = differences.filter((one) => one.verdict === verdict);
  if (found.length === 0) return [];
  const lines = found.map(({ part, name, what }) => `- ${part}, **${name}**: ${inLine(what)}`);
  return [`## ${title}`, '', ...lines, ''];
}

/** A CLI may have no hooks, but no run has none of the cases that call them. */
function isTried({ screens, cases }: CertifyRun, part: Part): boolean {
  const names = part === 'screens' ? screens : cases;
  return Object.keys(names).length > 0;
}

/** Right, or held, of how many. */
function count(run: CertifyRun, part: Part): string {
  if (part === 'hooks') return `${Object.keys(run.hooks).length} events`;
  if (part === 'screens') {
    const all = Object.values(run.screens);
    const right = all.filter((one) => one.kind === 'read' && one.isRight).length;
    return `${right} of ${all.length} read right`;
  }
  const all = Object.values(run.cases).filter((one) => one.part === part);
  return `${all.filter(({ kind }) => kind === 'passed').length} of ${all.length} hold`;
}

function inLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replace(/\/tmp\/\S+/g, '…')
    .trim();
  return line.length > 400 ? `${line.slice(0, 399)}…` : line;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)];
}
