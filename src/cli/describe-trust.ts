import type { TrustView } from '../protocol/trust.ts';
import { bound } from '../shared/quote.ts';
import { revealLine } from '../shared/reveal.ts';
import { formatSize } from '../shared/units.ts';
import { formatTable } from './output.ts';
import { paint } from './screen-codes.ts';

/** Of one value, in characters. */
const widest = 2000;
/** More of a difference nobody reads on a screen. */
const mostLines = 200;

/**
 * What a person is shown before being asked. Whatever the file wrote is neutralised: it must not
 * draw the question itself.
 */
export function describeReview(view: TrustView): string {
  const { changes = {}, diff } = view;
  const rows: [string, string | readonly string[] | undefined][] = [
    ['what', kinds[view.kind]],
    ['really', view.realPath && `${view.realPath}${view.outside ? ', outside this project' : ''}`],
    ['trusted', describeState(view)],
    ['name', changes.name],
    ['provider', changes.provider],
    ['model', changes.model],
    ['permission', changes.permission],
    ['servers', changes.mcpServers],
    ['variables', changes.env?.join(', ')],
    ['left out', changes.leftOut && `${changes.leftOut.join(', ')} (never taken from a project)`],
    ['tools', changes.allowedTools && `${changes.allowedTools.join(', ')} (without asking)`],
    ['worktree', changes.worktree ? 'of its own' : undefined],
    ['tools over', changes.toolsOver],
    ['approvals', changes.approvals],
    [
      'instructs',
      changes.instructions === undefined ? undefined : describeInstructions(changes.instructions),
    ],
    ['copies', changes.patterns],
  ];
  const lines = rows.flatMap(([name, text]) => (text ? show(name, text) : []));
  const bypass = changes.asksNobody
    ? [`  ${paint('red', 'It would work without asking anybody before it acts.')}\n`]
    : [];
  return `${paint('bold', clean(view.path))}\n${lines.join('')}${bypass.join('')}${describeDiff(diff)}`;
}

export function describeTrustList(views: readonly TrustView[]): string {
  if (views.length === 0) return 'nothing of any working folder is trusted\n';
  const rows = views.map(({ path, kind, state, trustedAt = '-', by = '-' }) => [
    state,
    kind,
    trustedAt.slice(0, 10),
    clean(by),
    clean(path),
  ]);
  return formatTable(['STATE', 'KIND', 'SINCE', 'BY', 'FILE'], rows);
}

const kinds = {
  profile: 'a profile of the project',
  'claude-agent': 'a sub-agent of Claude Code, as a profile',
  'worktree-list': 'a list of files that are copied into worktrees',
} as const;

function describeState({ state, trustedAt, by, trouble }: TrustView): string {
  switch (state) {
    case 'changed':
      return `another content, ${trustedAt?.slice(0, 10)} by ${by}; it has changed since`;
    case 'damaged':
    case 'broken':
      return `no; ${trouble}`;
    case 'trusted':
      return `yes, since ${trustedAt?.slice(0, 10) ?? 'before'}`;
    default:
      return 'not yet';
  }
}

function describeInstructions(bytes: number): string {
  return bytes === 0 ? 'nothing' : `its model, in ${formatSize(bytes)} of text`;
}

/** Each in one line: a newline of theirs would draw another. */
function show(name: string, texts: string | readonly string[]): readonly string[] {
  return [texts].flat().map((line, at) => {
    const head = at === 0 ? name : '';
    return `  ${paint('dim', head.padEnd(10))}  ${clean(line)}\n`;
  });
}

function describeDiff(diff: readonly string[] | undefined): string {
  if (!diff) return '';
  const shown = diff.slice(0, mostLines).map((line) => `  ${colour(line)}\n`);
  const rest = diff.length - shown.length;
  return `${shown.join('')}${rest > 0 ? `  … and ${rest} more lines: read the file itself\n` : ''}`;
}

function colour(line: string): string {
  if (line.startsWith('+')) return paint('green', clean(line));
  return line.startsWith('-') ? paint('red', clean(line)) : clean(line);
}

function clean(text: string): string {
  return revealLine(bound(text, widest));
}
