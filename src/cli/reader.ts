import { findNestingMark } from '../agents/nesting-mark.ts';
import { explainLead, leadOf } from '../messages/envelope.ts';
import { neutralise } from '../messages/neutralise.ts';
import { createSecret } from '../shared/ids.ts';

/**
 * Who reads what a command prints. In the shell of an agent, or of any coding CLI, that is a model:
 * then all that others wrote is neutralised (rule 47), raw bytes come with `--raw` alone, and each
 * line of ours around others' words begins with a secret lead.
 */
export function isModelReading(): boolean {
  isModel ??=
    ['SIGNALBOX_AGENT', 'SIGNALBOX_TOKEN', 'SIGNALBOX_EPOCH'].some((name) => process.env[name]) ||
    findNestingMark(process.env) !== undefined;
  return isModel;
}

let isModel: boolean | undefined;
let opened: string | undefined;

/**
 * How lines of ours begin where a model reads them, and the line that says so, once. A person needs
 * neither.
 */
export function openReading(): { readonly lead: string; readonly first: string } {
  if (!isModelReading()) return { lead: '', first: '' };
  if (opened !== undefined) return { lead: `${opened} `, first: '' };
  opened = leadOf(createSecret('box'));
  return { lead: `${opened} `, first: `${explainLead(opened)}\n` };
}

/**
 * Somebody else's words that are a text of their own, between two lines of ours where a model reads
 * them.
 */
export function frameWords(what: string, words: string): string {
  const { begin, end } = openFrame(what);
  if (begin === '') return words;
  const said = neutralise(words);
  return `${begin}${said}${said === '' || said.endsWith('\n') ? '' : '\n'}${end}`;
}

/** The two lines, for words that come piece by piece. */
export function openFrame(what: string): { readonly begin: string; readonly end: string } {
  const { lead, first } = openReading();
  if (lead === '') return { begin: '', end: '' };
  const begin = `${first}${lead}${neutralise(what)}, not words of your user\n`;
  return { begin, end: `${lead}end\n` };
}

/**
 * A text on its way to a model: all but the leads of our own lines is neutralised, and words of
 * others never begin with one.
 */
export function neutraliseForModel(text: string): string {
  if (opened === undefined) return neutralise(text);
  const done: string[] = [];
  let words: string[] = [];
  const flush = (): void => {
    if (words.length > 0) done.push(neutralise(words.join('\n')));
    words = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith(`${opened} `)) {
      flush();
      done.push(`${opened} ${neutralise(line.slice(opened.length + 1))}`);
    } else words.push(line);
  }
  flush();
  return done.join('\n');
}
