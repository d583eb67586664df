/** The words behind a command, sorted; throws `Usage` on what it does not know. */
export class Words {
  readonly positional: readonly string[];
  readonly #options = new Map<string, string[]>();

  /** `valued` take a word, `switches` do not; `--` ends the options. */
  constructor(
    words: readonly string[],
    valued: readonly string[] = [],
    switches: readonly string[] = [],
  ) {
    const positional: string[] = [];
    for (let i = 0; i < words.length; i++) {
      const word = words[i] ?? '';
      if (word === '--') {
        positional.push(...words.slice(i + 1));
        break;
      }
      if (valued.includes(word)) {
        const value = words[++i];
        if (value === undefined) throw new Usage(`missing value for ${word}`);
        this.#options.set(word, [...this.all(word), value]);
      } else if (switches.includes(word)) this.#options.set(word, ['']);
      else if (word.startsWith('--')) throw new Usage(`unknown option ${word}`);
      else positional.push(word);
    }
    this.positional = positional;
  }

  all(option: string): readonly string[] {
    return this.#options.get(option) ?? [];
  }

  has(option: string): boolean {
    return this.#options.has(option);
  }

  get(option: string): string | undefined {
    return this.#options.get(option)?.at(-1);
  }

  need(option: string): string {
    const value = this.get(option);
    if (value === undefined) throw new Usage(`missing ${option}`);
    return value;
  }

  number(option: string): number | undefined {
    const text = this.get(option);
    if (text === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(text)) throw new Usage(`${option} needs a number`);
    return Number(text);
  }

  at(index: number, name: string): string {
    const word = this.positional[index];
    if (word === undefined) throw new Usage(`missing ${name}`);
    return word;
  }

  /** All words from there, joined by one space, as herdr joins text and labels. */
  rest(index: number, name: string): string {
    this.at(index, name);
    return this.positional.slice(index).join(' ');
  }
}

/** Plain text on stderr, exit code 2. */
export class Usage extends Error {}
