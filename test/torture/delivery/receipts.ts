import type { Standing } from '../../../src/messages/standing.ts';
import { Judged } from '../../support/judged.ts';
import { readBlocks, readFences } from '../../support/read-blocks.ts';
import { readPrompt } from '../../support/read-prompts.ts';
import type { Check } from './checks.ts';
import type { Note } from './journal.ts';

/** One message as a program got it. */
export interface Copy {
  /** The short one, with the name of its recipient. */
  readonly id: string;
  readonly body: string;
  readonly repeat: boolean;
}

/** What was entered in one agent's composer. */
export interface Receipt {
  readonly agent: string;
  /** The how many-th process of that agent. */
  readonly life: number;
  readonly mark: string;
  /** As the user's prompt, or in an envelope. */
  readonly standing: Standing;
  readonly copies: readonly Copy[];
}

export interface Received {
  readonly receipts: readonly Receipt[];
  /** Text that came where, or as, it must not. */
  readonly misplaced: readonly string[];
  readonly lives: number;
  readonly dialogs: number;
  /** Prompts of the person; and those of them that took along what stood in the composer. */
  readonly byHand: number;
  readonly along: number;
  /** How many cases each check met. */
  readonly judged: Judged<Check>;
}

/**
 * What the person types begins so; with the second, and its number, comes Enter in the same breath.
 */
export const handMark = 'by-hand';
export const enteredMark = 'by-hand-entered';

/** From one program's own notes: what its model would have got, and what must never have come. */
export function readReceipts(agent: string, notes: readonly Note[]): Received {
  const receipts: Receipt[] = [];
  const misplaced: string[] = [];
  const count = { lives: 0, dialogs: 0, byHand: 0, along: 0 };
  const judged = new Judged<Check>();
  let inDialog: string | undefined;
  for (const note of notes) {
    switch (note.what) {
      case 'started':
        count.lives++;
        inDialog = undefined;
        break;
      case 'input':
        if (inDialog !== undefined) inDialog += Buffer.from(note.base64, 'base64').toString();
        break;
      case 'asked':
        count.dialogs++;
        judged.note('misplaced: a dialog');
        inDialog = '';
        break;
      case 'answered':
        misplaced.push(...judgeDialog(agent, inDialog ?? ''));
        inDialog = undefined;
        break;
      case 'prompt': {
        const { text } = note;
        const given = readEntered(agent, text);
        const [one] = given;
        const whose = one === undefined ? 'of a person' : wholes[one.standing];
        judged.note(`misplaced: a prompt ${whose}`);
        const isByHand = text.includes(handMark);
        const isAlong = one !== undefined && text.includes(enteredMark);
        receipts.push(...given.map((receipt) => ({ ...receipt, life: count.lives })));
        if (isByHand) count.byHand++;
        if (isAlong) count.along++;
        else if (!isClean(text, given, isByHand))
          misplaced.push(`${agent} got a prompt that is not one text of ours: ${shorten(text)}`);
      }
    }
  }
  // It was killed with the dialog open.
  if (inDialog !== undefined) misplaced.push(...judgeDialog(agent, inDialog));
  return { receipts, misplaced, ...count, judged };
}

/**
 * The person answers with a figure or Escape: a paste, or an Enter without their words, is nobody's
 * but ours.
 */
function judgeDialog(agent: string, input: string): readonly string[] {
  const isPaste = input.includes('\x1b[200~');
  const isEnter = input.includes('\r') && !input.includes(handMark);
  return isPaste || isEnter ? [`${agent} got this into a dialog: ${shorten(input)}`] : [];
}

const wholes = { notice: 'with an envelope', prompt: 'of the user, by us' } as const;

/** What was entered at once: the user's prompt with what it is made of, or envelopes. */
function readEntered(agent: string, text: string): readonly Omit<Receipt, 'life'>[] {
  const prompt = readPrompt(text);
  if (prompt === undefined) return readGiven(agent, text);
  const copies = prompt.blocks.map(({ id, body }) => {
    // What a person has typed behind it, and sent along.
    const [ours = ''] = body.split(enteredMark);
    return { id: `${agent}:${id}`, body: ours, repeat: false };
  });
  return [{ agent, mark: prompt.mark, standing: 'prompt', copies }];
}

/** One envelope or one prompt of the user and nothing beside it, or a person's words alone. */
function isClean(
  text: string,
  given: readonly Pick<Receipt, 'standing'>[],
  isByHand: boolean,
): boolean {
  const [one, ...others] = given;
  if (one === undefined) return isByHand && !/signalbox|^--- /m.test(text);
  if (others.length > 0) return false;
  return one.standing === 'notice'
    ? whole.test(text.trim())
    : !isByHand && readFences(text).length === 0;
}

const whole = /^<signalbox \w*?(\w{1,8})>\n[\s\S]*\n<\/signalbox \1>$/;

/** Every envelope in everything that a model was given, in its order. */
export function readGiven(agent: string, text: string): readonly Receipt[] {
  return readFences(text).map(({ mark, inner }) => ({
    ...{ agent, life: 0, mark, standing: 'notice' },
    copies: readCopies(agent, mark, inner),
  }));
}

function readCopies(agent: string, mark: string, inner: string): readonly Copy[] {
  // Below the one fence a header may stand, and the other ends the last body.
  const blocks = readBlocks(`<signalbox ${mark}>\n${inner}\n</signalbox ${mark.slice(-8)}>`);
  return blocks.map(({ id, header, body }) => ({
    id: `${agent}:${id}`,
    body,
    repeat: header.includes('MAY BE A REPEAT'),
  }));
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 200)} … ${text.slice(-90)}` : text);
}
