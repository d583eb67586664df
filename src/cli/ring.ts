import { isatty } from 'node:tty';
import { writeCodes } from './output.ts';
import { isModelReading } from './reader.ts';
import { findForm, type RingForm, writeBell, writeNotification } from './ring-codes.ts';

/**
 * Rings the terminal that a command writes to: a bell at once, and a notification where the
 * terminal is known to show one. A pipe, a file, a model and a script get nothing of it.
 */
export class Ring {
  readonly #fd: 1 | 2;
  readonly #isHeard: boolean;
  #form: Promise<Form> | undefined;

  constructor(fd: 1 | 2, isScripted: boolean) {
    this.#fd = fd;
    const isPerson = isatty(fd) && !isModelReading() && process.env['TERM'] !== 'dumb';
    this.#isHeard = isPerson && !isScripted;
  }

  async ring(text: string): Promise<void> {
    if (!this.#isHeard) return;
    writeCodes(this.#fd, writeBell());
    this.#form ??= findOwnForm(process.env);
    const { form, isInTmux } = await this.#form;
    writeCodes(this.#fd, writeNotification(form, text, isInTmux));
  }
}

interface Form {
  readonly form: RingForm;
  readonly isInTmux: boolean;
}

/** Inside tmux the terminal around it counts, and only where tmux hands on what is for it. */
async function findOwnForm(env: NodeJS.ProcessEnv): Promise<Form> {
  // screen has no way that a user could allow.
  if (env['STY']) return { form: 'bell', isInTmux: false };
  if (!env['TMUX']) {
    const names = { program: env['TERM_PROGRAM'], term: env['TERM'] };
    return { form: findForm(names), isInTmux: false };
  }
  const { findOuterTerminal } = await import('../client/outer-terminal.ts');
  const outer = await findOuterTerminal(env);
  return { form: outer?.isOpen ? findForm(outer) : 'bell', isInTmux: true };
}
