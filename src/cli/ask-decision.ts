import { closeSync, openSync } from 'node:fs';
import type { AgentQuestions, DecisionRequest } from '../protocol/questions.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { ask } from './ask.ts';
import { headAsked } from './describe-asked.ts';
import { fold } from './fold.ts';
import { writeTerminal } from './output.ts';
import { type AskedView, layOut, paginate, type Size, summarise } from './show-asked.ts';

type Question = AgentQuestions['questions'][number];
type Decision = DecisionRequest['decision'];

/** What a terminal has that does not tell its size. */
const usual: Size = { rows: 24, columns: 80 };
/** In cells, with what a person types behind it. */
const longestPrompt = 56;

/**
 * Shows one question and asks for a decision, on the terminal itself: what is redirected or piped
 * is not read by the person. Its beginning, its end and the prompt stand on the screen at once.
 * What does not fit is counted, and nothing is allowed before all of it was shown.
 */
export async function askDecision(name: string, asked: Question): Promise<Decision | undefined> {
  const terminal = openSync('/dev/tty', 'r+');
  let isSeen = false;
  let note = '';
  try {
    for (;;) {
      const size = await readSize();
      const head = fold(headAsked(name, asked), size.columns);
      const rows = layOut(asked.text, size);
      const notes = note === '' ? [] : fold(note, size.columns);
      const beside = head.length + notes.length + Math.ceil(longestPrompt / size.columns);
      const view = summarise(rows, size.rows - beside);
      isSeen ||= view.hidden === 0;
      writeTerminal(terminal, toText([...head, ...view.rows, ...notes]));
      await reachFailPoint('answer.asking');
      const said = readKey(await ask(terminal, describeChoice(asked, view, isSeen)));
      note = '';
      if (said === 'show' && view.hidden > 0) {
        const end = await showAll(terminal, rows, size);
        if (end === 'left') return undefined;
        isSeen ||= end === 'seen';
        if (end === 'seen') note = 'You have seen all of it.';
      } else if (said === 'allow' && asked.decisions.includes('allow') && !isSeen) {
        note = 'You have not seen all of it yet: s shows it.';
      } else {
        return said !== 'show' && said && asked.decisions.includes(said) ? said : undefined;
      }
    }
  } finally {
    closeSync(terminal);
  }
}

function describeChoice({ decisions }: Question, { hidden }: AskedView, isSeen: boolean): string {
  const choices = [
    ...(decisions.includes('allow') && isSeen ? [{ word: 'allow once', key: 'a' }] : []),
    ...(decisions.includes('deny') ? [{ word: 'deny', key: 'd' }] : []),
    ...(hidden > 0 ? [{ word: 'show all', key: 's' }] : []),
  ];
  const words = choices.map(({ word }) => word).join(', ');
  const keys = [...choices.map(({ key }) => key), 'L'].join('/');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}, or leave it? [${keys}] `;
}

function readKey(said: string): Decision | 'show' | undefined {
  if (/^\s*a(llow)?\s*$/i.test(said)) return 'allow';
  if (/^\s*d(eny)?\s*$/i.test(said)) return 'deny';
  return /^\s*s(how)?\s*$/i.test(said) ? 'show' : undefined;
}

/** Page by page; Enter alone goes on. No other key decides anything here. */
async function showAll(
  terminal: number,
  rows: readonly string[],
  size: Size,
): Promise<'seen' | 'stopped' | 'left'> {
  let shown = 0;
  for (const page of paginate(rows, size.rows - 1)) {
    writeTerminal(terminal, toText(page));
    const first = shown + 1;
    shown += page.length;
    const more = shown < rows.length ? 'Enter shows more' : 'the end; Enter goes back';
    const said = await ask(terminal, `-- rows ${first}-${shown} of ${rows.length}; ${more} -- `);
    // Nobody is at the terminal any more.
    if (said === '') return 'left';
    if (said.trim() !== '') return 'stopped';
  }
  return 'seen';
}

function toText(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join('');
}

/** As it is now: a person may have changed it since the last question. */
async function readSize(): Promise<Size> {
  const { WriteStream } = await import('node:tty');
  const screen = new WriteStream(openSync('/dev/tty', 'w'));
  try {
    const [columns, rows] = screen.getWindowSize();
    return columns > 0 && rows > 0 ? { columns, rows } : usual;
  } finally {
    screen.destroy();
  }
}
