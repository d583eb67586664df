import type { Clock } from '../shared/clock.ts';
import type { Look } from '../terminals/backend.ts';
import type { Terminal } from '../terminals/terminal.ts';
import { KeyTimes } from './key-times.ts';
import type { Life } from './life.ts';
import { continueGroup, Suspended } from './suspended.ts';

/** What the looks at one agent's terminal tell of the people there. */
export class People {
  readonly keyTimes: KeyTimes;
  readonly #clock: Clock;
  readonly #suspended: Suspended;
  #watchers: number | undefined;
  #typedAt: number | undefined;
  #keyAt: number | undefined;

  constructor(clock: Clock, terminal: Terminal, say: (what: string) => void) {
    this.#clock = clock;
    this.keyTimes = new KeyTimes(clock);
    this.#suspended = new Suspended(clock, () => continueGroup(terminal), say);
  }

  /** A person has had a key pressed for them: it is theirs (rules 9, 22, 42, 51). */
  press(): void {
    this.keyTimes.press();
    this.#keyAt = this.#clock.monotonicMs();
    this.#typedAt = this.#clock.now();
  }

  note(look: Look): void {
    this.noteWatchers(look);
    this.#keyAt = this.keyTimes.read(look) ?? this.#keyAt;
    if (look.humanKeyAt !== undefined) this.#typedAt = look.humanKeyAt * 1000;
    this.#suspended.note(look);
  }

  close(): void {
    this.#suspended.close();
  }

  noteWatchers({ watchers }: Look): void {
    this.#watchers = watchers;
  }

  /** Who is there right now. */
  async look({ backend, terminal }: Pick<Life, 'backend' | 'terminal'>): Promise<void> {
    const look = await backend.look(terminal);
    if (look !== 'gone') this.noteWatchers(look);
  }

  /** How many look at it; undefined where nobody can tell. */
  get watchers(): number | undefined {
    return this.#watchers;
  }

  /** Wall time of the last key, as the backend told it. */
  get typed(): { readonly humanTypedAt?: number } {
    return this.#typedAt === undefined ? {} : { humanTypedAt: this.#typedAt };
  }

  /** The same on a clock that is not set back (rule 24). */
  get keyAt(): number | undefined {
    return this.#keyAt;
  }
}
