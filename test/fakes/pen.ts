import type { AgentStatus } from '../../src/agents/agent.ts';
import type { Composer, SmallWindow } from '../../src/agents/status.ts';
import type { Pen, PenLook } from '../../src/delivery/recipient.ts';
import type {
  GuardBreach,
  KeyObstacle,
  ScreenGuard,
  WriteGuard,
  WriteOptions,
  Written,
} from '../../src/terminals/writing.ts';
import { findRow } from '../support/find-row.ts';

/** A terminal with a composer, that a test disturbs at will. */
export class FakePen implements Pen {
  text = '';
  status: AgentStatus = 'idle';
  /** Overrules what the text says. */
  composer: Composer | undefined;
  obstacle: KeyObstacle | undefined;
  tooSmall: SmallWindow | undefined;
  humanKeyAt: number | undefined;
  isGone = false;
  scenery = 'a screen';
  /** The program shows nothing of what is typed. */
  isDeaf = false;
  /** Enters that the program does not take. */
  swallows = 0;
  /** Enters that it takes for a new line. */
  breaks = 0;
  /**
   * The answers to writes to come; `written` when there is none left. An unknown one has its effect
   * first if it says so.
   */
  readonly answers: (Written | 'unknown-done')[] = [];
  readonly written: string[] = [];
  readonly submitted: string[] = [];
  /** What people at the terminal were told. */
  readonly told: string[] = [];
  screenGuard?: ScreenGuard;
  /** Called at each write, before its guard is asked: a person may do something just then. */
  onWrite: (count: number) => void = () => undefined;
  /** Called at each look, before it is answered. */
  onLook: (count: number) => void = () => undefined;
  /** Called at each look, when it was made and has yet to arrive. */
  onAnswer: () => Promise<void> = async () => undefined;
  #looks = 0;
  #writes = 0;
  #keys = 0;

  async look(): Promise<PenLook | 'gone'> {
    this.onLook(++this.#looks);
    const seen = this.#see();
    await this.onAnswer();
    return seen;
  }

  /** A person at the keyboard. */
  type(keys: string): void {
    this.#keys++;
    for (const key of keys) {
      if (key === '\r') this.#take(key);
      else this.text += key;
    }
  }

  async tell(notice: string): Promise<void> {
    this.told.push(notice);
  }

  async write(bytes: Buffer, { withEnter = false, guard }: WriteOptions = {}): Promise<Written> {
    this.onWrite(++this.#writes);
    const answer = this.answers.shift() ?? this.#findBreach(guard) ?? 'written';
    if (answer !== 'written' && answer !== 'unknown-done') return answer;
    this.written.push(`${bytes.toString()}${withEnter ? '\r' : ''}`);
    this.#take(bytes.toString());
    if (withEnter) this.#take('\r');
    return answer === 'written' ? 'written' : 'unknown';
  }

  #findBreach({ untypedSince, cursor, screen }: WriteGuard = {}): GuardBreach | undefined {
    const seen = this.#see();
    if (seen === 'gone') return undefined;
    if (untypedSince !== undefined && untypedSince !== seen.typingStamp) return 'typed';
    if (cursor !== undefined && cursor.x !== seen.cursor?.x) return 'covered';
    const isThere = (pattern: ScreenGuard['absent'][number]): boolean =>
      findRow(seen.lines, pattern) >= 0;
    if (screen?.absent.some(isThere) || screen?.present?.some((one) => !isThere(one)))
      return 'covered';
    return undefined;
  }

  #see(): PenLook | 'gone' {
    if (this.isGone) return 'gone';
    const lines = [...this.scenery.split('\n'), ...`> ${this.text}`.split('\n')];
    return {
      status: this.status,
      composer: this.composer ?? (this.text === '' ? 'empty' : 'draft'),
      typingStamp: `$1.${this.#keys}`,
      cursor: { x: (lines.at(-1) ?? '').length, y: lines.length - 1 },
      lines,
      ...(this.obstacle === undefined ? {} : { obstacle: this.obstacle }),
      ...(this.tooSmall === undefined ? {} : { tooSmall: this.tooSmall }),
      ...(this.humanKeyAt === undefined ? {} : { humanKeyAt: this.humanKeyAt }),
    };
  }

  #take(text: string): void {
    if (this.isDeaf) return;
    if (text !== '\r') this.text += text.slice(6, -6).replaceAll('\r', '\n');
    else if (this.swallows > 0) this.swallows--;
    else if (this.breaks > 0) {
      this.breaks--;
      this.text += '\n';
    } else {
      this.submitted.push(this.text);
      this.text = '';
      this.status = 'processing';
    }
  }
}
