import { isClean } from '../demo/account.ts';
import { isProven } from '../demo/demo.ts';
import { victims } from '../demo/moment.ts';
import type { Account, DemoOutcome } from '../protocol/demo.ts';
import { shellWord } from '../shared/shell-word.ts';
import { command, formatMs, victimNames, wrap } from './demo-words.ts';
import { paint, type Style } from './screen-codes.ts';

/**
 * The demo's end as a person reads it: five numbers, one line for each kill, and what it proves.
 */
export function describeOutcome(outcome: DemoOutcome, columns: number): string {
  const { account, repeats, resent } = outcome;
  const row = (name: string, count: number, meaning: string, style?: Style) =>
    formatRow({ name, count, meaning, style: style ?? 'bold' }, columns);
  return [
    '',
    ...accountNames.flatMap((name) =>
      row(name, account[name], meanings[name], judge(name, account)),
    ),
    '',
    ...row('repeats', repeats, 'copies that said that they may be second ones'),
    ...row('resent', resent, 'sent again under the same key, each still one message'),
    '',
    ...recoveryLines(outcome, columns),
    '',
    ...wrap(conclude(outcome), columns - 4).map(
      (line) => `  ${paint(isProven(outcome) ? 'green' : 'red', line)}`,
    ),
    ...keptLines(outcome),
    '',
  ].join('\n');
}

const accountNames = ['accepted', 'settled', 'lost', 'doubled', 'misplaced'] as const;

interface Row {
  readonly name: string;
  readonly count: number;
  readonly meaning: string;
  readonly style: Style;
}

function formatRow({ name, count, meaning, style }: Row, columns: number): readonly string[] {
  const number = paint(style, String(count).padStart(7));
  return beside(`  ${name.padEnd(10)}${number}   `, 22, meaning, columns);
}

/** Words beside a head that is so wide; the next lines begin below the first word. */
function beside(head: string, width: number, words: string, columns: number): readonly string[] {
  const [first = '', ...more] = wrap(words, Math.max(20, columns - width));
  return [
    `${head}${paint('dim', first)}`,
    ...more.map((line) => `${' '.repeat(width)}${paint('dim', line)}`),
  ];
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

/** Where the words begin that say how. */
const indent = 40;
/** Narrower than this, they begin on a line of their own. */
const besideFrom = 70;

/** Every one of them has a line, also one that was not reached. */
function recoveryLines({ recoveries }: DemoOutcome, columns: number): readonly string[] {
  return victims.flatMap((victim) => {
    const name = `kill -9 ${victimNames[victim]}`.padEnd(16);
    const recovery = recoveries.find(({ killed }) => killed === victim);
    if (!recovery) return [`  ${name}  ${paint('red', 'was not reached')}`];
    const { outcome, how, ms } = recovery;
    const isGood = outcome === 'recovered';
    const said = isGood ? `recovered in ${formatMs(ms)}` : 'not recovered';
    const head = `  ${name}  ${paint(isGood ? 'green' : 'red', said.padEnd(18))}`;
    if (columns >= besideFrom) return beside(`${head}  `, indent, how, columns);
    return [head.trimEnd(), ...beside(' '.repeat(4), 4, how, columns)];
  });
}

function conclude(outcome: DemoOutcome): string {
  const { account, recoveries, problems } = outcome;
  const { accepted, settled, lost, doubled, misplaced } = account;
  if (!isClean(account)) {
    const open = accepted - settled;
    return `The promise was broken: ${lost} lost, ${doubled} doubled, ${misplaced} misplaced, ${open} not answered for. This is a bug; please report it.`;
  }
  const failed = recoveries.find((recovery) => recovery.outcome === 'failed');
  const why = failed?.how ?? problems[0];
  if (why !== undefined) return `Something is wrong: ${why}. This is a bug; please report it.`;
  return (
    `Each of the ${accepted} messages reached the program it was for, whatever was killed under it, and every second copy said ` +
    'that it may be one: counted from what the programs received, not from the ledger.'
  );
}

function keptLines({ home }: DemoOutcome): readonly string[] {
  if (home === undefined) return [];
  return [
    '',
    `  ${paint('dim', 'Kept, with the agents at rest. Look, send, attach:')}`,
    `  ${command(home, 'ls')}`,
    `  ${command(home, 'send worker-1 hello')}`,
    `  ${paint('dim', 'End it:')}`,
    `  ${command(home, 'stop --session demo')}`,
    `  ${command(home, 'down')}`,
    `  tmux -S ${shellWord(`${home}/tmux.sock`)} kill-server`,
    `  rm -r ${shellWord(home)}`,
  ];
}
