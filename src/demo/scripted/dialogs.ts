import type { Key } from './keys.ts';

/**
 * What may be asked of a person. Each stands in the composer's place, as in the CLIs that this
 * program imitates.
 */
export const dialogKinds = ['permission', 'trust', 'question'] as const;
export type DialogKind = (typeof dialogKinds)[number];

export interface Dialog {
  readonly kind: DialogKind;
  readonly about: string;
  readonly selected: number;
}

interface DialogText {
  readonly heading: string;
  readonly about: string;
  readonly question: string;
  readonly options: readonly string[];
}

export const dialogTexts: Readonly<Record<DialogKind, DialogText>> = {
  permission: {
    heading: 'Run a command',
    about: 'make install',
    question: 'Do you want to proceed?',
    options: ['Yes', 'No'],
  },
  trust: {
    heading: 'Accessing a folder',
    about: 'It may hold instructions that this program would follow.',
    question: 'Do you trust the files in this folder?',
    options: ['Yes, proceed', 'No, exit'],
  },
  question: {
    heading: 'A question',
    about: 'Two ways are open.',
    question: 'Which way do you want to go?',
    options: ['The short way', 'The long way'],
  },
};

export type Answer = { readonly option: number } | 'refused';

/**
 * One key. Enter takes what is selected, and at first that is Yes: a stray Enter approves, which is
 * the accident that delivery must never cause. Pasted text is ignored.
 */
export function pressKey(dialog: Dialog, key: Key): Dialog | { readonly answer: Answer } {
  const { options } = dialogTexts[dialog.kind];
  switch (key.key) {
    case 'up':
    case 'down': {
      const by = key.key === 'up' ? options.length - 1 : 1;
      return { ...dialog, selected: (dialog.selected + by) % options.length };
    }
    case 'enter':
      return { answer: choose(dialog.kind, dialog.selected) };
    case 'escape':
    case 'interrupt':
      return { answer: 'refused' };
    case 'text': {
      const number = Number(key.text);
      return options[number - 1] ? { answer: choose(dialog.kind, number - 1) } : dialog;
    }
    default:
      return dialog;
  }
}

/** A question has no wrong answer; of the others the second option is No. */
function choose(kind: DialogKind, option: number): Answer {
  return kind === 'question' || option === 0 ? { option } : 'refused';
}
