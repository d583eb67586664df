import { type Account, isClean } from '../demo/account.ts';
import type { DemoOutcome } from '../demo/demo.ts';
import { paint, type Style } from './output.ts';

/** The demo's end as a person reads it: five numbers, what it took, and what it proves. */
export function describeOutcome(outcome: DemoOutcome, columns: number): string {
  const { account, kills, windows, repeats, resent, failures } = outcome;
  const inWindows = Object.values(windows).reduce((sum, hits) => sum + hits, 0);
  const verdict = isClean(account) ? 'green' : 'red';
  return [
    '',
    ...accountNames.map((name) => row(name, account[name], meanings[name], judge(name, account))),
    '',
    row('kills', kills, `with -9, ${inWindows} of them exactly inside a crash window`),
    row('repeats', repeats, 'copies that said that they may be second ones'),
    row('resent', resent, 'sends repeated under the same key, each still one message'),
    ...(failures > 0 ? [row('failures', failures, 'programs that ended by themselves')] : []),
    '',
    ...wrap(conclude(outcome), columns - 4).map((line) => `  ${paint(verdict, line)}`),
    '',
  ].join('\n');
}

const accountNames = ['accepted', 'settled', 'lost', 'doubled', 'misplaced'] as const;

function row(name: string, count: number, meaning: string, style: Style = 'bold'): string {
  const number = paint(style, String(count).padStart(7));
  return `  ${name.padEnd(10)}${number}   ${paint('dim', meaning)}`;
}

const meanings: Readonly<Record<keyof Account, string>> = {
  accepted: 'the sender was told: it is on disk',
  settled: 'the recipient has answered for it',
  lost: 'accepted, and never received',
  doubled: 'received again without a mark that says so',
  misplaced: 'received by an agent it was not for',
};

function judge(name: keyof Account, account: Account): Style {
  if (name === 'accepted') return 'bold';
  const isGood = name === 'settled' ? account.settled === account.accepted : account[name] === 0;
  return isGood ? 'green' : 'red';
}

function conclude({ account, kills }: DemoOutcome): string {
  const { accepted, settled, lost, doubled, misplaced } = account;
  if (!isClean(account)) {
    return `The promise was broken: ${lost} lost, ${doubled} doubled, ${misplaced} misplaced. This is a bug; please report it.`;
  }
  const open = accepted - settled;
  const but = open > 0 ? ` The ledger still holds ${open} of them as unanswered.` : '';
  return (
    `Each of the ${accepted} messages reached the program it was for, though programs were killed ${kills} times, and ` +
    `every second copy said that it may be one: counted from what the programs received, not from the ledger.${but}`
  );
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}
