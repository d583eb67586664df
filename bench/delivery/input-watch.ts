/** The end of a bracketed paste, and with it of the text. */
export const pasteEnd = '\x1b[201~';

/**
 * What a program's read() gets, and when: it tells over a socket or a pipe, which is part of every
 * number here.
 */
export class InputWatch {
  #text = '';
  #waiting: { readonly text: string; readonly found: (at: number) => void }[] = [];
  /** performance.now() of the last byte. */
  lastAt = Number.NEGATIVE_INFINITY;

  static async open(
    listen: (listener: (bytes: Buffer) => void) => Promise<void>,
  ): Promise<InputWatch> {
    const watch = new InputWatch();
    await listen((bytes) => watch.#take(bytes));
    return watch;
  }

  /** When this was read, whole, from now on. What came before is forgotten. */
  next(...texts: readonly string[]): readonly Promise<number>[] {
    this.#text = '';
    this.#waiting = [];
    return texts.map(
      (text) =>
        new Promise<number>((found, failed) => {
          const late = (): void => failed(new Error(`${JSON.stringify(text)} was never read`));
          const timer = setTimeout(late, deadlineMs);
          this.#waiting.push({
            text,
            found: (at) => {
              clearTimeout(timer);
              found(at);
            },
          });
        }),
    );
  }

  #take(bytes: Buffer): void {
    this.lastAt = performance.now();
    this.#text += bytes.toString('latin1');
    const isRead = ({ text }: { readonly text: string }): boolean => this.#text.includes(text);
    const read = this.#waiting.filter(isRead);
    this.#waiting = this.#waiting.filter((one) => !isRead(one));
    for (const { found } of read) found(this.lastAt);
  }
}

const deadlineMs = 30_000;
