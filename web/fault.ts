import type { FaultView } from '../src/protocol/daemon.ts';

/** What the daemon says when it does not do something. */
export type Words = Omit<FaultView['error'], 'code'> & { readonly code: string };

/** It answered, and said no. */
export class Refused extends Error {
  readonly status: number;
  readonly words: Words;

  constructor(status: number, words: Words) {
    super(words.message);
    this.status = status;
    this.words = words;
  }
}

/** The connection failed; what was asked may have been done. */
export class Lost extends Error {
  constructor(cause: unknown) {
    super('The connection to the daemon was lost.', { cause });
  }
}

const unreadable: Words = {
  code: 'unreadable',
  message: 'The daemon gave an answer that this page cannot read.',
  next: 'Reload the page.',
};

export function readFault(text: string): Words {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<Words> };
    if (typeof error?.code !== 'string' || typeof error.message !== 'string') return unreadable;
    return { code: error.code, message: error.message, next: error.next ?? '' };
  } catch {
    // Whatever it is, it is no answer of ours.
    return unreadable;
  }
}

/** For the person who asked. */
export function describeFailure(error: unknown): Words {
  if (error instanceof Refused) return error.words;
  if (error instanceof Lost) {
    return {
      code: 'lost',
      message: 'The connection was lost before an answer came. It may have been done.',
      next: 'Look at how things stand before you do it again.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'page-failed', message: `This page failed: ${message}`, next: 'Reload the page.' };
}
